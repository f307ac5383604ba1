import exec from 'k6/execution';
export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 4, iterations: 20 } } };
export default function () {
  console.log(`row ${exec.scenario.iterationInTest}`);
}
