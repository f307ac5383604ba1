// A module opens what lies beside it.
import { text, words } from './lib/opens.js';

const own = open('./lib/words.txt');

export default function () {
  console.log(words === own, text.length);
}
