/** Which server a rehearsal models, and a rehearsal of an API that sells nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultServerModel } from '../../../tools/engine/model/server-model.ts';
import { rehearse } from '../../../tools/rehearse/rehearse.ts';
import { servedSuite } from '../../../tools/rehearse/suite-server.ts';
import { readSuiteFacts } from '../../../tools/results/suite-facts.ts';
import { TICKETS, ticketSuite } from '../../support/built-suite.ts';
import { cli, ROOT } from '../../support/cli.ts';

const ROWS = { issues: 20, projects: 3 };

/** Logs in, and reads the issue that it asked for. */
const SCRIPT = `import http from 'k6/http';
import { check } from 'k6';
export const options = { scenarios: { triage: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };
export default function () {
  const tags = (name) => ({ tags: { name } });
  const login = http.post(__ENV.BASE_URL + '/v1/login', '{}', tags('POST /v1/login'));
  const name = 'GET /v1/projects/{project}/issues/{id}';
  const issue = http.get(__ENV.BASE_URL + '/v1/projects/a/issues/' + __VU, tags(name));
  check(issue, { own: (r) => r.status === 200 && r.body === '"id":"' + __VU + '"' && login.json('token') === 'abc' });
}
`;

function withServer(code: string): string {
  const folder = ticketSuite();
  mkdirSync(join(folder, 'dist', 'lib'));
  writeFileSync(join(folder, 'dist', 'lib', 'server-model.mjs'), code);
  return join(folder, 'dist');
}

describe('the suite of a rehearsal', () => {
  it('is its table alone, or with a server of its own', async () => {
    expect(await servedSuite(join(ticketSuite(), 'dist'), TICKETS)).toEqual({
      endpoints: TICKETS.endpoints,
      rows: ROWS,
    });
    const own = await servedSuite(withServer('export default () => ({ answer: () => undefined });'), TICKETS);
    expect(own.server?.({ stock: 1, cacheTtlSeconds: 0, rows: () => 0 })).toHaveProperty('answer');
    const dist = join(ROOT, 'dist');
    expect(await servedSuite(dist, readSuiteFacts(dist))).toMatchObject({ rows: { books: 40_000 } });
    expect((await servedSuite(dist, readSuiteFacts(dist))).server).toBeTypeOf('function');
  });

  it('is refused with a server that is none', async () => {
    await expect(servedSuite(withServer('export const answer = 1;'), TICKETS)).rejects.toThrow(/exports no server/);
  });

  it('answers its sessions by the table', async () => {
    const folder = ticketSuite(SCRIPT);
    const { result } = await rehearse({
      script: join(folder, 'dist', 'tickets.js'),
      env: {},
      model: defaultServerModel(20, TICKETS.endpoints),
      suite: await servedSuite(join(folder, 'dist'), TICKETS),
      seed: 1,
    });
    // Two VUs, three sessions each.
    expect(result.summary?.metrics['checks']?.values).toMatchObject({ passes: 6, fails: 0 });
  });

  it('is rehearsed by name in the folder of the suite; nothing is said of a stock', { timeout: 60_000 }, async () => {
    const folder = ticketSuite(SCRIPT);
    const { code, stdout } = await cli(['rehearse', 'tickets', '--json'], { cwd: folder });
    expect(code).toBe(0);
    const forecast = JSON.parse(stdout) as { stock?: unknown; requests: { byEndpoint: Record<string, { n: number }> } };
    expect(forecast).not.toHaveProperty('stock');
    expect(Object.values(forecast.requests.byEndpoint).map(({ n }) => n)).toEqual([6, 6]);
    const text = await cli(['rehearse', 'tickets'], { cwd: folder });
    expect(text.stdout).not.toMatch(/stock|book/);
  });
});
