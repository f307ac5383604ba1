import exec from 'k6/execution';
export const options = {
  scenarios: {
    first: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'one' },
    second: {
      executor: 'per-vu-iterations',
      vus: 1,
      iterations: 1,
      exec: 'two',
      startTime: '500ms',
      tags: { kind: 'late' },
    },
  },
};
export function one() {
  console.log(`one ${exec.scenario.name}`);
}
export function two() {
  console.log(`two ${exec.scenario.name} ${exec.scenario.iterationInTest}`);
}
