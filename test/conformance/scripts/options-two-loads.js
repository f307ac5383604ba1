// Two loads at the same time.
import exec from 'k6/execution';

export const options = { iterations: 2, stages: [{ duration: '1s', target: 1 }] };

export default function () {
  if (exec.scenario.iterationInTest > 0) return;
  console.log(JSON.stringify(exec.test.options));
}

export function other() {
  console.log('other', JSON.stringify(exec.test.options.scenarios));
}
