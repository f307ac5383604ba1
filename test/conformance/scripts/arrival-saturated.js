import http from 'k6/http';

const B = __ENV.BASE;
export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 10, duration: '1s', preAllocatedVUs: 1, maxVUs: 1 } },
};
export default function () {
  http.get(`${B}/ok?ms=750`, { tags: { name: 'slow' } });
}
