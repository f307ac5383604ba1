import { describe, expect, it } from 'vitest';
import { rateLimiter } from '../../bookstore/rate-limiter.ts';

describe('rate limiter', () => {
  it("lets pass rate x time + one second's worth, and no more", () => {
    // Offered 50/s for 10 s against 20/s: 20 that the bucket held, and 20/s refilled over the 9.98 s between the first
    // and the last arrival: floor(20 + 199.6) = 219.
    let ms = 0;
    const limiter = rateLimiter(() => ms);
    let passed = 0;
    for (let n = 0; n < 500; n++, ms += 20) if (limiter.check('192.0.2.1', 20) === 0) passed++;
    expect(passed).toBe(219);
    expect(limiter.refused).toBe(500 - 219);
  });

  it('counts each address by itself and says how long to wait', () => {
    const limiter = rateLimiter(() => 0);
    expect(limiter.check('192.0.2.1', 1)).toBe(0);
    expect(limiter.check('192.0.2.1', 1)).toBe(1);
    expect(limiter.check('192.0.2.2', 1)).toBe(0);
    // One request every ten seconds: the bucket holds one request, the next one is ten seconds away.
    expect(limiter.check('192.0.2.3', 0.1)).toBe(0);
    expect(limiter.check('192.0.2.3', 0.1)).toBe(10);
  });

  it('stays bounded however many addresses come', () => {
    const limiter = rateLimiter(() => 0);
    for (let n = 0; n < 20_000; n++) limiter.check(`client ${n}`, 1);
    // The first ones were forgotten, so they start with a full bucket; the last ones were not.
    expect(limiter.check('client 0', 1)).toBe(0);
    expect(limiter.check('client 19999', 1)).toBe(1);
  });
});
