export * from './code-handed-on-inner.js';
export * as inner from './code-handed-on-inner.js';
export { second as renamed } from './code-handed-on-inner.js';
export const left = 'l';
export const right = 'r';
