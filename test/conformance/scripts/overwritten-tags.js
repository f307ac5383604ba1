import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
export default function () {
  http.get(`${B}/ok`, {
    tags: { name: 'n', status: '999', method: 'X', scenario: 'mine', group: 'g', expected_response: 'x' },
  });
}
