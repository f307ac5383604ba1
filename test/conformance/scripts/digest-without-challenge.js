// Where no challenge comes, the first request is the only one, and was not what was expected.
import http from 'k6/http';

export default function () {
  const base = __ENV.BASE.replace('//', '//u:p@');
  console.log(http.post(`${base}/inspect`, 'x', { auth: 'digest' }).json('headers.authorization'));
  console.log(http.post(`${base}/digest`, 'x', { auth: 'digest' }).status);
  console.log(http.get(`${base}/ok`, { auth: 'basic' }).status);
}
