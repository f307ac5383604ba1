// Nothing in `stages`.
import exec from 'k6/execution';

export const options = { stages: [] };

export default function () {
  if (exec.scenario.iterationInTest > 0) return;
  console.log(JSON.stringify(exec.test.options));
}

export function other() {
  console.log('other', JSON.stringify(exec.test.options.scenarios));
}
