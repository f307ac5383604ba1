import http from 'k6/http';

export class Shop {
  constructor(name) {
    this.name = name;
  }
  open(path) {
    return http.request('GET', `${__ENV.BASE}${path}`, null, { tags: { name: path, shop: this.name } });
  }
  toString() {
    return this.name;
  }
}

export function times(n, make) {
  const out = [];
  for (let i = 0; i < n; i++) out.push(make(i));
  return out;
}

export default class extends Shop {}
export const apply = (f, args) => f.apply(undefined, args);
