// An iteration takes at least as long; its own duration says what it took.
import exec from 'k6/execution';

export const options = { vus: 1, iterations: 3, minIterationDuration: '300ms' };

export default function () {
  if (exec.scenario.iterationInTest === 2) console.log(exec.instance.currentTestRunDuration > 600);
}
