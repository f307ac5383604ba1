export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 20, duration: '1s', preAllocatedVUs: 20 } },
};
export default function () {}
