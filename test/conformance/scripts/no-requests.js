import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const show = (what, work) => {
  try {
    const r = work();
    console.log(`${what}: ${r.status} ${r.error} ${r.error_code} ${JSON.stringify(r.url)} ${r.request === null}`);
  } catch (error) {
    console.log(`${what}: thrown ${String(error.message ?? error).split(': dial')[0]}`);
  }
};
export default function () {
  show('type of the answer', () => http.get(`${B}/ok`, { responseType: 'json' }));
  show('tag', () => http.get(`${B}/ok`, { tags: { a: {} } }));
  show('callback', () => http.get(`${B}/ok`, { responseCallback: {} }));
  show('number', () => http.get(5));
  show('no url', () => http.get());
  show('callback of nothing', () => http.get(`${B}/ok?st=500`, { responseCallback: null }));
  show('callback left out', () => http.get(`${B}/ok?st=500`, { responseCallback: undefined }));
  show('redirects left out', () => http.get(`${B}/redir`, { redirects: undefined }));
  show('unknown parameter', () => http.get(`${B}/ok`, { colour: 'red' }));
  show('throws', () => http.get('http://127.0.0.1:1/', { throw: true, tags: { name: 'refused' } }).error);
  const batch = (what, requests) => {
    try {
      const out = http.batch(requests);
      console.log(`${what}: ${out.map((r) => (r === null ? 'null' : `${r.status} ${r.error}`)).join(', ')}`);
    } catch (error) {
      console.log(`${what}: thrown ${error.message}`);
    }
  };
  batch('without a url', [`${B}/ok`, { method: 'GET' }, `${B}/ok`]);
  batch('bad method', [[5, `${B}/ok`]]);
  batch('methods', [['get', `${B}/ok`], { method: 'get', url: `${B}/ok`, body: 'x' }]);
  batch('nothing', []);
  batch('text', 'x');
  batch('undefined', undefined);
  const status = (what, ...given) => {
    try {
      http.expectedStatuses(...given);
      console.log(`${what}: fine`);
    } catch (error) {
      console.log(`${what}: ${error.message}`);
    }
  };
  status('none');
  status('text', 'x');
  status('half', { min: 200 });
  status('no integer', { min: 200, max: 'x' });
  status('both', 200, { min: 300, max: 310 });
  try {
    http.setResponseCallback({});
  } catch (error) {
    console.log(error.message);
  }
  http.setResponseCallback(http.expectedStatuses(500));
  http.get(`${B}/ok?st=500`);
  http.setResponseCallback(null);
  http.get(`${B}/ok?st=501`);
}
