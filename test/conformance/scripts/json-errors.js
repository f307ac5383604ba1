import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const WRONG = [
  '',
  ' ',
  '<html>',
  'no',
  'nul',
  'nulL',
  'tru',
  'trux',
  'fals',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{a:1}',
  "{'a':1}",
  '{"a" 1}',
  '{"a":1 "b"',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[1 2]',
  '[1}',
  '"abc',
  '"a\tb"',
  '"\\x"',
  '"\\u12g4"',
  '01',
  '-',
  '-a',
  '1.',
  '1.a',
  '1e',
  '1e+',
  '1ex',
  '.5',
  '+1',
  '1 2',
  '{}x',
  '{"a":1}\nx',
  '{\n  "a": 1,\n  b\n}',
  '{"a":\n\n!}',
  'ä',
  '[\n,',
  "'",
  '[1,\n\n',
  '"\\',
  '"\\u',
  '"\\u12',
  '["ä',
  '{"ä":ö}',
  '["😀",]',
  '-0x',
  '1.5.5',
  '"a\nb"',
  '[\t1,\n\n 2 3]',
  'falsx',
  'NaN',
  'undefined',
  '{"a":"b"c}',
];
export default function () {
  for (const body of WRONG) {
    const r = http.get(`${B}/text?text=${encodeURIComponent(body)}`, { tags: { name: 'json' } });
    try {
      console.log(`${JSON.stringify(body)} is ${JSON.stringify(r.json())}`);
    } catch (error) {
      console.log(`${JSON.stringify(body)}: ${error.name} ${error.message}`);
    }
  }
}
