import { describe, expect, it } from 'vitest';
import { compileObjectives, type Objectives, type Scope } from '../../../lib/plan/objectives.ts';

const SCOPE: Scope = {
  endpoints: ['GET /a', 'GET /b/{id}'],
  steps: [],
  counters: [],
  flows: ['browse'],
  scenarios: ['browse'],
  narrowed: true,
  warmsUp: false,
};
const file = (rest: Partial<Objectives>): Objectives => ({ schemaVersion: 1, purpose: 'test', endpoints: {}, ...rest });
const expressions = (list: readonly { threshold: string }[] | undefined) => list?.map((one) => one.threshold);

describe('compiled objectives', () => {
  it('bind the measured phase and guard their population', () => {
    const thresholds = compileObjectives(
      file({ endpoints: { 'GET /a': { '2xx': ['p(95)<300'], failed: ['rate<0.01'] } } }),
      SCOPE,
    );
    expect(expressions(thresholds['duration_2xx{name:GET /a,phase:measure}'])).toEqual(['p(95)<300', 'max>0']);
    expect(expressions(thresholds['http_req_failed{name:GET /a,phase:measure}'])).toEqual(['rate<0.01']);
    expect(expressions(thresholds['http_reqs{name:GET /a,phase:measure}'])).toEqual(['count>0']);
  });

  it('are left out for endpoints that the scenario does not call, unless they were asked for', () => {
    const objectives = file({ endpoints: { 'GET /c': { '2xx': ['p(95)<300'] } } });
    expect(Object.keys(compileObjectives(objectives, SCOPE))).not.toContain('duration_2xx{name:GET /c,phase:measure}');
    const whole = compileObjectives(objectives, { ...SCOPE, narrowed: false });
    expect(expressions(whole['http_reqs{name:GET /c,phase:measure}'])).toEqual(['count>0']);
  });

  it('of * bind every endpoint by itself, so that a small one cannot fail behind the others', () => {
    const thresholds = compileObjectives(
      file({
        endpoints: {
          '*': { failed: ['rate<0.01'], checks: ['rate>0.99'] },
          'GET /b/{id}': { failed: ['rate<0.1'], '2xx': ['med<9'] },
        },
      }),
      SCOPE,
    );
    expect(expressions(thresholds['http_req_failed{name:GET /a,phase:measure}'])).toEqual(['rate<0.01']);
    // What an endpoint says of a subject itself counts in place of the general word.
    expect(expressions(thresholds['http_req_failed{name:GET /b/{id},phase:measure}'])).toEqual(['rate<0.1']);
    for (const name of SCOPE.endpoints) {
      expect(expressions(thresholds[`checks{name:${name},phase:measure}`])).toEqual(['rate>0.99']);
      expect(expressions(thresholds[`http_reqs{name:${name},phase:measure}`])).toEqual(['count>0']);
    }
    expect(thresholds['http_req_failed{phase:measure}']).toEqual([]);
    expect(expressions(thresholds['duration_2xx{name:GET /b/{id},phase:measure}'])).toEqual(['med<9', 'max>0']);
  });

  it('of * leave out status classes that an endpoint does not expect', () => {
    const scope = { ...SCOPE, classes: { 'GET /a': ['4xx'] } };
    const thresholds = compileObjectives(file({ endpoints: { '*': { '2xx': ['p(95)<300'] } } }), scope);
    expect(thresholds['duration_2xx{name:GET /a,phase:measure}']).toEqual([]);
    expect(expressions(thresholds['duration_2xx{name:GET /b/{id},phase:measure}'])).toEqual(['p(95)<300', 'max>0']);
  });

  it('of the total bind all requests together', () => {
    const thresholds = compileObjectives(file({ endpoints: { total: { failed: ['rate<0.01'] } } }), SCOPE);
    expect(expressions(thresholds['http_req_failed{phase:measure}'])).toEqual(['rate<0.01']);
    expect(thresholds['http_req_failed{name:GET /a,phase:measure}']).toEqual([]);
  });

  it('keep what ends a run, and never state a threshold twice', () => {
    const abort = { threshold: 'rate<0.01', abortOnFail: true, delayAbortEval: '30s' };
    const thresholds = compileObjectives(file({ endpoints: { total: { failed: [abort, 'rate<0.01'] } } }), SCOPE);
    expect(thresholds['http_req_failed{phase:measure}']).toEqual([abort]);
  });

  it('bind dropped sessions to the measured scenarios, because that metric carries no phase', () => {
    const thresholds = compileObjectives(
      file({ validity: { dropped_iterations: ['count==0'], flow_errors: ['rate==0'] } }),
      SCOPE,
    );
    expect(expressions(thresholds['dropped_iterations{scenario:browse}'])).toEqual(['count==0']);
    expect(expressions(thresholds['flow_errors{phase:measure}'])).toEqual(['rate==0']);
    // A Rate without samples passes in k6.
    expect(expressions(thresholds['http_reqs{phase:measure}'])).toEqual(['count>0']);
  });

  it('ask k6 for every population that the summary shows, without judging it', () => {
    const thresholds = compileObjectives(file({}), { ...SCOPE, warmsUp: true });
    for (const phase of ['measure', 'warmup']) {
      for (const name of SCOPE.endpoints) expect(thresholds[`duration_5xx{name:${name},phase:${phase}}`]).toEqual([]);
    }
    expect(Object.values(thresholds).flat()).toEqual([]);
  });

  it('of a step of another protocol are guarded by the number of steps, since it sends no request', () => {
    const scope = { ...SCOPE, endpoints: [...SCOPE.endpoints, 'WS /stream'], steps: ['WS /stream'] };
    const thresholds = compileObjectives(file({ endpoints: { 'WS /stream': { '2xx': ['p(95)<300'] } } }), scope);
    expect(expressions(thresholds['steps{name:WS /stream,phase:measure}'])).toEqual(['count>0']);
    expect(Object.keys(thresholds)).not.toContain('http_reqs{name:WS /stream,phase:measure}');
    // A step of no time at all is one, and none of them is a sample of k6's HTTP metrics.
    expect(expressions(thresholds['duration_2xx{name:WS /stream,phase:measure}'])).toEqual(['p(95)<300']);
    const each = compileObjectives(file({ endpoints: { '*': { failed: ['rate<0.01'], all: ['p(95)<9'] } } }), scope);
    expect(Object.keys(each).filter((key) => /http_req.*WS/.test(key))).toEqual([]);
    // The summary shows how many there were, also without an objective.
    expect(compileObjectives(file({}), scope)['steps{name:WS /stream,phase:measure}']).toEqual([]);
  });

  it('may limit the suite’s own counters, and none of another suite', () => {
    const objectives = file({ validity: { sold_out: ['count==0'], other: ['count==0'] } });
    const thresholds = compileObjectives(objectives, { ...SCOPE, counters: ['sold_out'] });
    expect(expressions(thresholds['sold_out{phase:measure}'])).toEqual(['count==0']);
    expect(Object.keys(thresholds).join()).not.toContain('other');
    // Shown without a limit as well.
    expect(compileObjectives(file({}), { ...SCOPE, counters: ['sold_out'] })['sold_out{phase:measure}']).toEqual([]);
  });
});
