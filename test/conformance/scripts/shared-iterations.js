import exec from 'k6/execution';
export const options = { vus: 3, iterations: 7 };
export default function () {
  console.log(`row ${exec.scenario.iterationInTest}`);
}
