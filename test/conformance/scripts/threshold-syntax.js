export const options = { thresholds: { http_req_duration: ['p95<500'] } };
export default function () {}
