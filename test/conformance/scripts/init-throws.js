const a = undefined;
console.log(a.url);
export default function () {}
