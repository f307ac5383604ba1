// Requests inside the callbacks of arrays, maps and sets.
import http from 'k6/http';

export const options = { iterations: 1 };

const get = (path) => http.get(__ENV.BASE + path, { tags: { name: path } }).status;

export default function () {
  const paths = ['/a', '/b', '/c'];
  console.log(paths.map((path, i) => get(path) + i).join());
  console.log(paths.filter((path) => get(path) === 200 && path > '/a').join());
  console.log(
    paths.reduce((sum, path) => sum + get(path), 0),
    paths.reduceRight((all, path) => all + path + get(path)),
  );
  console.log(
    paths.some((path) => get(path) === 404),
    paths.every((path) => get(path) === 200),
  );
  console.log(
    paths.find((path) => get(path) && path === '/b'),
    paths.findIndex((path) => get(path) && path === '/c'),
  );
  console.log([1, [2, 3]].flatMap((n) => [get('/flat'), n]).length);
  new Set(paths).forEach((path) => get(`${path}/set`));
  new Map([['k', '/m']]).forEach((path, key) => console.log(key, get(path)));
  const sparse = [, 1];
  sparse.forEach((n) => console.log('sparse', n, get('/sparse')));
  const self = { n: 7 };
  [0].forEach(function () {
    console.log(this.n, get('/this'));
  }, self);
  try {
    [1].forEach(undefined);
  } catch (error) {
    console.log(error.name);
  }
  try {
    [].reduce((a, b) => a + b);
  } catch (error) {
    console.log(error.name);
  }
}
