import exec from 'k6/execution';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };
export default function () {
  console.log(`vu ${exec.vu.idInTest} iteration ${exec.vu.iterationInScenario}`);
}
