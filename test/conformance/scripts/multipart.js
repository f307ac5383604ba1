import http from 'k6/http';

const B = __ENV.BASE;
const text = open('lib/words.txt');
const bytes = open('lib/words.txt', 'b');
export const options = { vus: 1, iterations: 1 };
const show = (what, body, params) => {
  const { headers, body: parts } = http.post(`${B}/inspect`, body, params).json();
  console.log(`${what}: ${headers['content-type']} ${headers['content-length']} ${JSON.stringify(parts)}`);
};
export default function () {
  show('bytes', { file: http.file(bytes, 'a.txt', 'text/plain') });
  show('text', { file: http.file(text, 'b.bin') });
  show('fields', { file: http.file('x', 'c.txt'), name: 'ä€', n: 5, none: null, t: ['a', 'b'], ' "q\\': 'v' });
  show('names', { 'a"b': http.file('x', 'quo"te\\.txt', 'a/b; c=d') });
  show('no text', { file: http.file(new Uint8Array([0, 255, 128, 10]).buffer, 'd') });
  show('two', { a: http.file('1', '1'), b: http.file('2', '2') });
  show('own type', { a: http.file('1', '1') }, { headers: { 'Content-Type': 'text/plain' } });
  const unnamed = http.file('x');
  console.log(/^[0-9]{19}$/.test(unnamed.filename), unnamed.content_type, unnamed.data);
  for (const wrong of [null, 5, { a: 1 }, [1]]) {
    try {
      http.file(wrong, 'x');
    } catch (error) {
      console.log(error.message);
    }
  }
}
