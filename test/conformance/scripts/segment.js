import exec from 'k6/execution';
export const options = {
  scenarios: {
    s: {
      executor: 'ramping-arrival-rate',
      startRate: 10,
      preAllocatedVUs: 5,
      stages: [{ duration: '1s', target: 10 }],
    },
  },
};
export default function () {
  console.log(`row ${exec.scenario.iterationInTest} of vu ${exec.vu.idInTest > 5 ? 'many' : 'few'}`);
}
