import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
export default function () {
  const get = (name, path, callback) =>
    http.get(
      `${B}${path}`,
      callback === undefined ? { tags: { name } } : { tags: { name }, responseCallback: callback },
    );
  get('default 200', '/ok');
  get('default 404', '/ok?st=404');
  get('range', '/ok?st=404', http.expectedStatuses(200, { min: 400, max: 410 }));
  get('redirect hop', '/redir', http.expectedStatuses(200));
  get('null', '/ok?st=500', null);
  http.setResponseCallback(http.expectedStatuses(500));
  get('global 500', '/ok?st=500');
  get('global 200', '/ok');
  http.setResponseCallback(http.expectedStatuses(0));
  http.get('http://127.0.0.1:1/', { tags: { name: 'zero' } });
}
