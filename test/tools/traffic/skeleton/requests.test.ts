import { describe, expect, it } from 'vitest';
import { readEndpoints } from '../../../../lib/model/endpoints.ts';
import { suiteRequests } from '../../../../tools/traffic/skeleton/requests.ts';

/** Names under which endpoints are sent, and their placeholders. */
function sent(...endpoints: readonly string[]) {
  const { requests, remarks } = suiteRequests(Object.fromEntries(endpoints.map((one, i) => [`step${i}`, one])));
  // What an endpoint table takes.
  readEndpoints(Object.fromEntries(requests.map(({ key, request }) => [key, request])));
  return { names: requests.map(({ name }) => name), values: requests.map(({ placeholders }) => placeholders), remarks };
}

describe('requests of a skeleton', () => {
  it('have the names of the workload', () => {
    const plain = ['GET /users/{id}/orders/{id}', 'GET /search?q=', 'DELETE /a.b/c-d/~e'];
    expect(sent(...plain)).toEqual({ names: plain, values: [['id'], ['q'], []], remarks: [] });
  });

  it('are encoded where a tag of k6 or a request line would not take them, with a remark', () => {
    const { names, values, remarks } = sent('GET /a,b', 'GET /q/"x"', "GET /x/{o'}", 'GET /a{b', 'GET /p/100%?w,x=');
    expect(names).toEqual(['GET /a%2Cb', 'GET /q/%22x%22', 'GET /x/{o_}', 'GET /a%7Bb', 'GET /p/100%25?w%2Cx=']);
    expect(values).toEqual([[], [], ['o_'], [], ['w_x']]);
    expect(remarks).toHaveLength(5);
    expect(remarks[0]).toBe('GET /a,b is sent as GET /a%2Cb');
  });

  it('leave out what no request is, and what would be another one, with a remark', () => {
    const { names, remarks } = sent('OPTIONS *', 'PROPFIND /dav', '(other)', 'GET /a%2Cb', 'GET /a,b');
    expect(names).toEqual(['GET /a%2Cb']);
    expect(remarks).toHaveLength(4);
    expect(remarks[3]).toMatch(
      /GET \/a,b is sent as GET \/a%2Cb, like step3: its step takes its think time and sends nothing/,
    );
  });
});
