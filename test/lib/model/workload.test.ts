import { describe, expect, it } from 'vitest';
import { requestShares, requestsPerSession } from '../../../lib/model/workload.ts';

describe('session shares and request shares', () => {
  const requests = {
    browse: { list: 1, details: 2 },
    search: { search: 1, details: 1 },
    checkout: { details: 1, cart: 1, item: 1, order: 1 },
  };
  const shares = { browse: 0.7, search: 0.2, checkout: 0.1 };

  it('turns 70/20/10 % of sessions into the request shares by hand: 17, 7, 2 and 3 x 1 of 29', () => {
    const result = requestShares(shares, requests);
    expect(result['details']).toBeCloseTo(17 / 29, 12);
    expect(result['list']).toBeCloseTo(7 / 29, 12);
    expect(result['search']).toBeCloseTo(2 / 29, 12);
    expect(result['order']).toBeCloseTo(1 / 29, 12);
  });

  it('sends 2.9 requests a session', () => {
    expect(requestsPerSession(shares, requests)).toBeCloseTo(2.9, 12);
  });
});
