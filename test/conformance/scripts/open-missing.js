open('./nothing.txt');
export default function () {}
