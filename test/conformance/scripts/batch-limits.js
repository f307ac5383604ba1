import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1, batch: Number(__ENV.ALL ?? 20), batchPerHost: Number(__ENV.HOST ?? 6) };
const LOCAL = B.replace('127.0.0.1', 'localhost');
const most = (urls) => {
  http.get(`${B}/crowd?reset`, { tags: { name: 'crowd' } });
  const answers = http.batch(urls.map((url) => ['GET', url, null, { tags: { name: 'crowd' } }]));
  return Math.max(...answers.map((r) => Number(r.body)));
};
export default function () {
  const twelve = (base) => Array.from({ length: 12 }, () => `${base}/crowd`);
  console.log(`one host ${most(twelve(B))}`);
  console.log(`two hosts ${most([...twelve(B), ...twelve(LOCAL)])}`);
  console.log(`mixed ${most(twelve(B).flatMap((url) => [url, url.replace(B, LOCAL)]))}`);
}
