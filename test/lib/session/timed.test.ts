import { beforeEach, describe, expect, it, vi } from 'vitest';
import { timed } from '../../../lib/session/timed.ts';
import { virtualUser } from '../../support/fake-k6/api.ts';
import { failedChecks, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

beforeEach(resetFake);
const NAME = 'WS /stream';

describe('a timed step', () => {
  it('is counted and measured under its name like a request, and gives what it gave', () => {
    const clock = vi.spyOn(Date, 'now');
    virtualUser({ endpoints: {} })((session) => {
      clock.mockReturnValueOnce(1000).mockReturnValueOnce(1250);
      expect(timed(session, NAME, () => 'told')).toBe('told');
    });
    expect(fake.samples.filter(({ metric }) => metric === 'steps')).toEqual([
      { metric: 'steps', value: 1, tags: { name: NAME } },
    ]);
    expect(fake.samples.filter(({ metric }) => metric === 'duration_2xx')).toEqual([
      { metric: 'duration_2xx', value: 250, tags: { name: NAME, status: 'ok' } },
    ]);
    expect(fake.checks).toEqual([{ name: `${NAME}: done`, held: true, tags: { name: NAME } }]);
    expect(fake.sent).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('cut off');
      },
    ],
    ['gives false', () => false],
  ])('that %s has no time, is counted as unanswered, and does not end the session', (_, step) => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    virtualUser({ endpoints: {} })((session) => void timed(session, NAME, step));
    expect([valuesOf('steps'), valuesOf('no_response'), valuesOf('duration_2xx')]).toEqual([[1], [1], []]);
    expect(failedChecks()).toEqual([`${NAME}: done`]);
    expect(valuesOf('flow_errors')).toEqual([false]);
  });

  it('that gives a promise ends with it: measured then, and counted as failed when it is rejected', async () => {
    const clock = vi.spyOn(Date, 'now');
    let told: Promise<unknown> | undefined;
    virtualUser({ endpoints: {} })((session) => {
      clock.mockReturnValueOnce(1000);
      told = timed(session, NAME, async () => 'told');
      clock.mockReturnValueOnce(1000).mockReturnValueOnce(1400);
    });
    await expect(told).resolves.toBe('told');
    expect(valuesOf('duration_2xx')).toEqual([400]);
    let failed: Promise<unknown> | undefined;
    virtualUser({ endpoints: {} })((session) => {
      failed = timed(session, NAME, () => Promise.reject(new Error('cut')));
    });
    await failed;
    expect(valuesOf('duration_2xx')).toHaveLength(1);
    expect(failedChecks()).toEqual([`${NAME}: done`]);
    expect(valuesOf('steps')).toEqual([1, 1]);
  });

  it('that gives nothing is good', () => {
    virtualUser({ endpoints: {} })((session) => void timed(session, NAME, () => undefined));
    expect(failedChecks()).toEqual([]);
  });
});
