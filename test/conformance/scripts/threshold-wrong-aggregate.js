export const options = { thresholds: { http_req_failed: ['p(95)<0.1'] } };
export default function () {}
