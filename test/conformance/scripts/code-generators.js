// Generators and async functions of the script's own: only the interpreter can run them.
import http from 'k6/http';

export const options = { vus: 2, iterations: 4 };

function* paths() {
  yield '/a';
  yield '/b';
}

export default async function () {
  for (const path of paths()) http.get(__ENV.BASE + path, { tags: { name: path } });
}
