import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const DATA = {
  name: { first: 'Tom', last: 'Anderson' },
  age: 37,
  children: ['Sara', 'Alex', 'Jack'],
  'fav.movie': 'Deer Hunter',
  none: null,
  yes: true,
  empty: '',
  list: [],
  '@id': 'x7',
  0: 'zero',
  'a b': { 'ä-1': [[1, 2], [3]] },
  friends: [
    { first: 'Dale', last: 'Murphy', age: 44, nets: ['ig', 'fb', 'tw'], ok: true },
    { first: 'Roger', last: 'Craig', age: 68, nets: ['fb', 'tw'], ok: false },
    { first: 'Jane', last: 'Murphy', age: 47, nets: ['ig', 'tw'] },
  ],
};
const PATHS = [
  'name.last',
  'name.first',
  'age',
  'children',
  'children.0',
  'children.1',
  'children.5',
  'children.-1',
  'children.#',
  'child*.2',
  'c?ildren.0',
  'fav\\.movie',
  'none',
  'none.x',
  'yes',
  'empty',
  'list',
  'list.#',
  '@id',
  '0',
  'a b.ä-1.0.1',
  'a b.ä-1.#.0',
  'friends.#',
  'friends.#.first',
  'friends.#.ok',
  'friends.1.last',
  'friends.#(last=="Murphy").first',
  'friends.#(last=="Murphy")#.first',
  'friends.#(age>45)#.last',
  'friends.#(first%"D*").last',
  'friends.#(first!%"D*").last',
  'friends.#(nets.#(=="fb"))#.first',
  'friends.#(ok)#.first',
  'friends.#(ok==~true)#.first',
  'friends.#(ok==~false)#.first',
  'friends.#(ok==true).first',
  'friends.#(ok!=true).first',
  'friends.#(age<=47)#.age',
  'friends.#(age>=68).age',
  'friends.#(last!="Murphy").first',
  'friends.#(missing).first',
  'friends.#(age==x).first',
  'children.#(!="Sara")',
  'children.#(%"*a*")#',
  'children|0',
  'children|#',
  'friends.#(last=="Murphy")#|0.first',
  'friends.#.nets.0',
  'friends.first',
  'missing',
  'name.missing',
  'name.first.x',
  'age.x',
  '',
  '.',
  'name.',
  '*',
  'friends.#(last=="Murphy")#|#',
  'children.#(>"B")#',
];
const text = (value) => (value === undefined ? 'undefined' : JSON.stringify(value));
export default function () {
  const tags = { name: 'json' };
  const r = http.get(`${B}/text?text=${encodeURIComponent(JSON.stringify(DATA))}`, { tags });
  for (const path of PATHS) {
    const value = r.json(path);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    console.log(`${path} -> ${isObject ? Object.keys(value).sort() : text(value)}`);
  }
  for (const body of ['5', '"x"', 'null', '[1,2]', 'true']) {
    const scalar = http.get(`${B}/text?text=${encodeURIComponent(body)}`, { tags });
    console.log(
      `${body}: ${text(scalar.json())} ${text(scalar.json('0'))} ${text(scalar.json('#'))} ${text(scalar.json('a'))}`,
    );
  }
  for (const body of ['', 'no json', '{"a":1', '{"a":1}x']) {
    console.log(`${body}: ${http.get(`${B}/text?text=${encodeURIComponent(body)}`, { tags }).json('a')}`);
  }
}
