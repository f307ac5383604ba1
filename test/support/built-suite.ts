/** A suite of an API of its own, as its build would leave it: the facts, an environment, and a script by its name. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEndpoints } from '../../lib/model/endpoints.ts';
import { SUITE_SCHEMA_VERSION, type SuiteFacts } from '../../lib/plan/suite-facts.ts';

export const TICKETS: SuiteFacts = {
  schemaVersion: SUITE_SCHEMA_VERSION,
  endpoints: readEndpoints({
    login: { request: 'POST /v1/login', example: { token: 'abc' } },
    issues: { request: 'GET /v1/projects/{project}/issues?status', cacheable: true },
    mine: 'GET /v1/projects/{project}/issues/mine',
    issue: { request: 'GET /v1/projects/{project}/issues/{id}', expect: [200, 304], contains: '"id":"{id}"' },
    comment: { request: 'POST /v1/comments', expect: [201, 409], contains: '"saved"' },
    find: { request: 'GET /v1/issues?text={text}', contains: '"{text}"' },
    all: 'GET /v1/issues',
  }),
  pools: {
    issues: { from: 0, rows: 20, example: { id: '1', title: 'One' } },
    projects: { from: 20, rows: 3, column: 'project', example: { project: 'alpha' } },
  },
  popularPool: 'issues',
  variables: [
    { name: 'TENANT', secret: false, help: 'Tenant.' },
    { name: 'LOGIN', secret: true, help: 'Password of the test users.' },
  ],
  counters: {
    closed: { means: 'exhausted', says: '{n} issues were closed already; open them again' },
    reopened: { means: 'note', says: '{n} issues were opened again' },
  },
  flows: {
    workload: {
      triage: {
        requests: { 'POST /v1/login': 1, 'GET /v1/projects/{project}/issues/{id}': 2 },
        thinks: ['login->issue', 'issue->issue'],
        picks: { issues: 2, projects: 1 },
      },
    },
    night: {
      triage: { requests: { 'POST /v1/login': 9 }, thinks: [], picks: {} },
      export: { requests: { 'GET /v1/issues': 1 }, thinks: [], picks: { projects: 1 } },
    },
  },
  loadTests: { tickets: 'workload', nightly: 'night' },
};

/** @returns a new folder with `dist/` in it: `dist/data/` and the script `dist/tickets.js` */
export function ticketSuite(script = 'export default function () {}\n', facts: unknown = TICKETS): string {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'));
  mkdirSync(join(folder, 'dist', 'data'), { recursive: true });
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, 'dist', 'data', `${name}.json`), JSON.stringify(value));
  write('suite', facts);
  write('environments', { staging: { BASE_URL: 'http://127.0.0.2:9', THINK: '2', TENANT: 'acme' } });
  writeFileSync(join(folder, 'dist', 'tickets.js'), script);
  return folder;
}
