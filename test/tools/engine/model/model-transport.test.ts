/** A modelled server: what fails, what the cache says, and a suite's own answers. */
import { describe, expect, it } from 'vitest';
import type { SuiteServer } from '../../../../lib/model/server-model.ts';
import type { HopResult } from '../../../../tools/engine/http/transport.ts';
import { type ServedSuite, serverSimulation } from '../../../../tools/engine/model/model-transport.ts';
import { defaultServerModel, SERVER_MODEL } from '../../../../tools/engine/model/server-model.ts';
import { virtualClock } from '../../../../tools/engine/virtual-clock.ts';
import { TICKETS } from '../../../support/built-suite.ts';

const ISSUES = 'GET /v1/projects/{project}/issues';

/** Results of requests that are sent one after the other, each when the one before has been answered. */
async function results(suite: ServedSuite, requests: readonly (readonly [name: string, path: string])[], model = {}) {
  const clock = virtualClock(0);
  const law = { law: 'fixed', ms: 10 };
  const parsed = SERVER_MODEL.parse({ endpoints: { '*': { latency: law } }, ...model });
  const simulation = serverSimulation(parsed, clock, 1, suite);
  const transport = simulation.transport();
  const found: HopResult[] = [];
  await clock.drive(
    (async () => {
      for (const [name, path] of requests) {
        const url = new URL(path, 'http://127.0.0.1') as never;
        const common = { headers: {}, body: undefined, timeoutMs: 1000, wantBody: true };
        found.push(
          await new Promise<HopResult>((done) => {
            transport.send(
              { name, method: name.split(' ')[0] as string, url, ...common },
              undefined as never,
              done as never,
            );
          }),
        );
      }
    })(),
  );
  return { found, facts: simulation.facts };
}

describe('a modelled server', () => {
  it('says HIT and MISS of what a cache stands before, by path and query, and nothing of the rest', async () => {
    const { found } = await results({ endpoints: TICKETS.endpoints }, [
      [ISSUES, '/v1/projects/a/issues?status=open'],
      [ISSUES, '/v1/projects/a/issues?status=open'],
      [ISSUES, '/v1/projects/a/issues?status=closed'],
      ['POST /v1/login', '/v1/login'],
    ]);
    expect(found.map(({ headers }) => headers['X-Cache'])).toEqual(['MISS', 'HIT', 'MISS', undefined]);
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('lets its own server answer first, with headers, and asks the table for the rest', async () => {
    const server: SuiteServer = ({ rows, stock }) => ({
      stock: { item: 'issue', perItem: stock, sold: new Map([['7', 2]]) },
      answer: ({ url }) =>
        url.pathname === '/v1/projects'
          ? { status: 418, body: `${rows('projects')} ${rows('nothing')}`, headers: { Etag: '"1"' } }
          : undefined,
    });
    const suite = { endpoints: TICKETS.endpoints, rows: { projects: 3 }, server };
    const { found, facts } = await results(
      suite,
      [
        ['set-up', '/v1/projects'],
        ['POST /v1/comments', '/v1/comments'],
      ],
      { stock: 5 },
    );
    expect(found.map(({ status, body }) => [status, body])).toEqual([
      [418, '3 0'],
      [201, '"saved"'],
    ]);
    expect(found[0]?.headers['Etag']).toBe('"1"');
    expect(facts.stock).toMatchObject({ item: 'issue', perItem: 5 });
  });

  it('fails as the model says, whatever the suite would answer', async () => {
    const failing = { latency: { law: 'fixed', ms: 1 }, statuses: { 503: 1 } };
    const { found } = await results({ endpoints: TICKETS.endpoints }, [['POST /v1/login', '/v1/login']], {
      endpoints: { '*': failing },
    });
    expect(found.map(({ status, body }) => [status, body])).toEqual([[503, '{"error":"as modelled"}']]);
  });

  it('has the median of a lognormal law whose mean is the healthy latency, for each endpoint', () => {
    const { endpoints } = defaultServerModel(20, TICKETS.endpoints);
    expect(Object.keys(endpoints)).toEqual([...TICKETS.endpoints.map(({ name }) => name), '*']);
    // Mean of a lognormal law: median * exp(sigma^2 / 2).
    for (const { latency } of Object.values(endpoints)) {
      if (latency.law !== 'lognormal') throw new Error('no lognormal law');
      expect(latency.median * Math.exp(latency.sigma ** 2 / 2)).toBeCloseTo(20, 12);
    }
  });
});
