/** What the log reader knows of a suite, another than the bookstore's. */
import { describe, expect, it } from 'vitest';
import { ownFlows, stepName, stepNames } from '../../../tools/traffic/model/flow-shapes.ts';
import { solveWishes } from '../../../tools/traffic/solve/solver.ts';
import { flowsOf } from '../../../tools/traffic/solve/source.ts';
import { parseWish } from '../../../tools/traffic/solve/wishes.ts';
import { ownTemplates } from '../../../tools/traffic/templates/given.ts';
import { TICKETS } from '../../support/built-suite.ts';

describe('a suite', () => {
  it('gives its endpoints as templates', () => {
    expect(ownTemplates(TICKETS).map(({ name }) => name)).toEqual(TICKETS.endpoints.map(({ name }) => name));
  });

  it('gives the flows of its workloads, that of the default one first, with the picks of its popular pool', () => {
    expect(ownFlows(TICKETS)).toEqual([
      { name: 'triage', ...TICKETS.flows['workload']?.['triage'], picks: 2 },
      { name: 'export', ...TICKETS.flows['night']?.['export'], picks: 0 },
    ]);
  });

  it('names the steps by the keys of its table, others by their words', () => {
    expect(stepName('GET /v1/projects/{project}/issues/{id}', TICKETS)).toBe('issue');
    expect(stepName('GET /api/books/{isbn}', TICKETS)).toBe('getApiBooksIsbn');
    expect([...stepNames(['GET /a/b', 'GET /a-b', 'POST /v1/login'], TICKETS).values()]).toEqual([
      'getAB',
      'getAB_2',
      'login',
    ]);
  });

  it('has its flows known to traffic solve', () => {
    const thinkTimes = {};
    const flows = { triage: { share: 0.5, thinkTimes }, export: { share: 0.5, thinkTimes } };
    const known = flowsOf({ flows } as never, 'workload.json', TICKETS);
    // A share s of triage (3 requests) and 1 - s of export (1): logins are s of 1 + 2s, a quarter at s = 1/2.
    const { sessions } = solveWishes(known, { triage: 1, export: 3 }, [parseWish('login=25%')], TICKETS);
    expect(sessions['triage']).toBeCloseTo(0.5, 9);
    expect(() => flowsOf({ flows: { browse: { share: 1, thinkTimes } } } as never, 'w.json', TICKETS)).toThrow(
      'only triage, export are known without',
    );
  });
});
