// Names of options and fields in any case, numbers as text.
import exec from 'k6/execution';

export const options = {
  Scenarios: { default: { Executor: 'shared-iterations', VUS: '2', Iterations: 3, MaxDuration: '10s' } },
  Tags: { a: 'b' },
  SETUPTIMEOUT: '90s',
};

export default function () {
  if (exec.scenario.iterationInTest > 0) return;
  console.log(JSON.stringify(exec.test.options));
}

export function other() {
  console.log('other', JSON.stringify(exec.test.options.scenarios));
}
