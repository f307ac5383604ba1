export * from './code-handed-on-inner.js';
export * as inner from './code-handed-on-inner.js';
export { second as renamed } from './code-handed-on-inner.js';
export const {
  left,
  list: [, right],
} = { left: 'l', list: [0, 'r'] };
