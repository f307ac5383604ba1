// Steps of a tenth of a second, as random arrivals use them: 3 sessions in every second step.
const stages = [];
for (let i = 0; i < 15; i++) {
  const target = i % 2 === 0 ? 3 : 0;
  stages.push({ duration: '0s', target }, { duration: '100ms', target });
}
export const options = {
  scenarios: {
    s: { executor: 'ramping-arrival-rate', startRate: 0, timeUnit: '100ms', preAllocatedVUs: 10, stages },
  },
};
export default function () {}
