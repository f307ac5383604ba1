export const options = { iterations: 2 };
export const first = 1;
export const second = 2;
export default 'not handed on';
