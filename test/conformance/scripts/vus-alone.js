// `vus` alone: as many iterations.
import exec from 'k6/execution';

export const options = { vus: 5 };

export default function () {
  if (exec.scenario.iterationInTest > 0) return;
  console.log(JSON.stringify(exec.test.options));
}

export function other() {
  console.log('other', JSON.stringify(exec.test.options.scenarios));
}
