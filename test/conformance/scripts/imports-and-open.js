import { twice } from './lib/helper.js';

const text = open('./lib/words.txt');
export const options = { vus: 1, iterations: 1 };
export default function () {
  console.log(`${twice(21)} ${text.trim().split('\n').length}`);
  try {
    open('./lib/words.txt');
  } catch (error) {
    console.log(error.name);
  }
}
