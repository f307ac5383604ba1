export const words = open('./words.txt');
const read = () => open('words.txt');
export const text = read();
