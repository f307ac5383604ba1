// Requests inside callbacks of built-ins: only the interpreter can run them.
import http from 'k6/http';

export const options = { vus: 2, iterations: 4 };

export default function () {
  ['/a', '/b'].forEach((path) => {
    http.get(__ENV.BASE + path, { tags: { name: path } });
  });
}
