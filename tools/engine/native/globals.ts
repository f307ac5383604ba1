/** Names that every module may use without importing them. */

/** Globals that each VU has for itself. */
export const OF_THE_VU: ReadonlySet<string> = new Set(
  '__ENV __VU __ITER console open Date Math Function globalThis global'.split(' '),
);
/** Globals of the language. */
export const OF_THE_LANGUAGE: ReadonlySet<string> = new Set(
  'undefined NaN Infinity Object Array String Number Boolean Symbol BigInt JSON RegExp Map Set WeakMap WeakSet Error TypeError RangeError SyntaxError ReferenceError EvalError URIError Promise Proxy Reflect ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape'.split(
    ' ',
  ),
);
