import exec from 'k6/execution';
export const options = {
  scenarios: {
    s: {
      executor: 'ramping-arrival-rate',
      startRate: 10,
      timeUnit: '1s',
      preAllocatedVUs: 10,
      stages: [
        { duration: '500ms', target: 10 },
        { duration: '0s', target: 20 },
        { duration: '500ms', target: 20 },
        { duration: '500ms', target: 0 },
      ],
    },
  },
};
export default function () {
  console.log(`row ${exec.scenario.iterationInTest}`);
}
