// A name that no scenario may have.
import exec from 'k6/execution';

export const options = { scenarios: { 'bad name!': { executor: 'per-vu-iterations' } } };

export default function () {
  if (exec.scenario.iterationInTest > 0) return;
  console.log(JSON.stringify(exec.test.options));
}

export function other() {
  console.log('other', JSON.stringify(exec.test.options.scenarios));
}
