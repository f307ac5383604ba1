/** The ticket tracker's API, its data and its variables: what a run must know once. */
import { defineSuite, type SuiteOf } from 'bookstore-load';
import type workload from '../../data/workload.json';

const suite = defineSuite({
  endpoints: {
    login: { request: 'POST /v1/login', example: { token: 'x' } },
    issues: { request: 'GET /v1/projects/{project}/issues?status&cursor', example: { items: [{ id: '1' }] } },
    issue: { request: 'GET /v1/issues/{id}', expect: [200, 304], example: { status: 'open' } },
    close: { request: 'PATCH /v1/issues/{id}', expect: [200, 412] },
    comment: { request: 'POST /v1/issues/{id}/comments', expect: [201, 409] },
    upload: { request: 'POST /v1/uploads', expect: [201], contains: '"sha256"' },
    export: { request: 'GET /v1/export?format={format}', body: 'none' },
  },
  pools: {
    users: { file: 'users.csv', columns: { user: 'text' }, law: { law: 'uniform' } },
    projects: { file: 'projects.csv', columns: { project: 'text' }, law: { law: 'zipf', s: 1 } },
    issues: { file: 'issues.csv', columns: { id: 'text', title: 'text' }, law: 'workload' },
  },
  headers: { 'X-Tenant': '{TENANT}' },
  counters: {
    already_closed: { means: 'note', says: 'comments on issues that were closed already: {n}' },
  },
  variables: {
    TENANT: { kind: 'text', default: 'acme', help: 'Tenant that all sessions belong to.' },
    PASSWORD: { kind: 'text', secret: true, help: 'Password of the test users.' },
  },
});

export default suite;
export type Tracker = SuiteOf<typeof suite, typeof workload>;
