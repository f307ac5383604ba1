import { SharedArray } from 'k6/data';

new SharedArray('a', () => ({ not: 'an array' }));
export default function () {}
