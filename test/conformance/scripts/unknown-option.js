export const options = { threshold: { checks: ['rate>1'] } };
export default function () {}
