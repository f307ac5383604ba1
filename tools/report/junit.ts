/** The verdict and the objectives as JUnit XML: what every CI shows. */
import type { Analysis } from '../analysis/analyse.ts';
import { escapeHtml as x } from './escape.ts';

/** A suite for the test itself and one for the objectives; undecided objectives are errors, not failures. */
export function reportJunit({ verdict, objectives }: Analysis): string {
  const grave = verdict.reasons.filter((reason) => reason.severity === 'invalid');
  const test = `  <testsuite name="validity of the test" tests="1" failures="0" errors="${grave.length > 0 ? 1 : 0}">
    <testcase classname="test" name="verdict ${verdict.status}">${grave.length > 0 ? `<error message="${x(grave.map((reason) => reason.message).join(' '))}"/>` : ''}</testcase>
  </testsuite>`;
  const failed = objectives.filter((one) => one.outcome === 'crossed');
  const open = objectives.filter((one) => one.outcome === 'undecided' || one.outcome === 'no samples');
  const cases = objectives.map((one) => {
    const said = `${one.outcome}: value ${one.value ?? 'none'}, n ${one.n}${one.why === undefined ? '' : `; ${one.why}`}`;
    const body =
      one.outcome === 'crossed'
        ? `<failure message="${x(said)}"/>`
        : one.outcome === 'passed'
          ? ''
          : `<error message="${x(said)}"/>`;
    return `    <testcase classname="${x(one.key)}" name="${x(one.expression)}">${body}</testcase>`;
  });
  const suite = `  <testsuite name="objectives" tests="${objectives.length}" failures="${failed.length}" errors="${open.length}">\n${cases.join('\n')}\n  </testsuite>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${test}\n${suite}\n</testsuites>\n`;
}
