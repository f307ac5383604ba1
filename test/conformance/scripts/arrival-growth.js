import http from 'k6/http';

const B = __ENV.BASE;
export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 2, duration: '2s', preAllocatedVUs: 1, maxVUs: 6 } },
};
export default function () {
  http.get(`${B}/ok?ms=750`, { tags: { name: 'slow' } });
}
