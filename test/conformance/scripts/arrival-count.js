export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 20, duration: '1s', preAllocatedVUs: 4 } },
};
export default function () {}
