/** What k6 v2.2 lacks, found by asking it name by name. */

/** Globals of browsers, Node and later languages that are not defined there. */
export const MISSING_GLOBALS: ReadonlySet<string> = new Set(
  `URL URLSearchParams structuredClone Intl process Buffer AbortController AbortSignal performance queueMicrotask btoa atob
  fetch WeakRef SharedArrayBuffer Atomics FinalizationRegistry window self document navigator location localStorage
  sessionStorage XMLHttpRequest WebSocket Headers Request Response FormData Blob File FileReader EventTarget Event
  MessageChannel BroadcastChannel Worker setImmediate clearImmediate requestAnimationFrame ReadableStream WritableStream
  TransformStream CompressionStream DecompressionStream __dirname __filename WebAssembly Iterator AsyncIterator DisposableStack
  AsyncDisposableStack SuppressedError Float16Array DOMParser DOMException EventSource alert Temporal ShadowRealm indexedDB
  matchMedia Bun Deno`.split(/\s+/),
);

/** Functions of built-in objects that are not there. */
export const MISSING_STATICS: ReadonlySet<string> = new Set(
  `Object.groupBy Map.groupBy Promise.withResolvers Promise.try Array.fromAsync RegExp.escape Error.isError
  Error.captureStackTrace Math.sumPrecise Math.f16round Uint8Array.fromBase64 Uint8Array.fromHex JSON.rawJSON JSON.isRawJSON
  Symbol.asyncIterator Symbol.dispose Symbol.asyncDispose`.split(/\s+/),
);

/** Methods of built-in values that are not there; `with`, `at` and the like exist on arrays and are left out. */
export const MISSING_METHODS: ReadonlySet<string> = new Set(
  `union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom isWellFormed toWellFormed
  getOrInsert getOrInsertComputed toBase64 toHex setFromBase64 setFromHex getFloat16 setFloat16 transferToFixedLength
  toTemporalInstant`.split(/\s+/),
);

/** Methods that iterators have in later languages and not there. */
export const ITERATOR_HELPERS: ReadonlySet<string> = new Set(
  'map filter take drop flatMap reduce toArray forEach some every find'.split(' '),
);
/** Methods that give an iterator; those of `Object` give arrays. */
export const ITERATOR_MAKERS: ReadonlySet<string> = new Set(['values', 'keys', 'entries', 'matchAll']);
