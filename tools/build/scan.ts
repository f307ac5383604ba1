/** Finds in a bundle what k6's engine lacks: globals that are undefined there, syntax that it refuses, regular expressions that silently never match. */

/** Globals of browsers or Node that k6 does not have. */
export const MISSING_GLOBALS = [
  'URL',
  'URLSearchParams',
  'structuredClone',
  'Intl',
  'process',
  'Buffer',
  'AbortController',
  'performance',
  'queueMicrotask',
  'btoa',
  'atob',
  'fetch',
  'WeakRef',
  'SharedArrayBuffer',
  'Atomics',
  'FinalizationRegistry',
] as const;

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
}

const RULES: readonly Rule[] = [
  { what: 'Object.groupBy', pattern: /\bObject\.groupBy\b/ },
  { what: 'Promise.withResolvers', pattern: /\bPromise\.withResolvers\b/ },
  { what: 'Array.fromAsync', pattern: /\bArray\.fromAsync\b/ },
  { what: 'toLocaleString with a locale, which throws', pattern: /\.toLocaleString\(\s*["'`]/ },
  { what: 'dynamic import', pattern: /\bimport\s*\(/ },
  { what: 'for await', pattern: /\bfor\s+await\b/ },
  { what: 'async generator', pattern: /\basync\s*(?:function)?\s*\*/ },
  { what: 'inline source map', pattern: /sourceMappingURL=data:/ },
];

/** Sentences about what `code` (JavaScript) uses and k6 lacks; empty when it is fine. */
export function scanBundle(code: string): string[] {
  const { text, regexes } = split(code);
  const found: string[] = [];
  for (const name of MISSING_GLOBALS) {
    // Neither a property (`x.URL`, `URL:`) nor a guarded look (`typeof URL`).
    if (new RegExp(`(?<![.\\w$])(?<!typeof\\s)${name}(?![\\w$]|\\s*:)`).test(text)) found.push(`the global ${name}`);
  }
  for (const { what, pattern } of RULES) if (pattern.test(what.includes('source map') ? code : text)) found.push(what);
  for (const { body, flags } of regexes) {
    if (/\\p\{/i.test(body)) found.push(`/${body}/${flags}: \\p{...} compiles but never matches`);
    if (/[dv]/.test(flags)) found.push(`/${body}/${flags}: the flags d and v are refused`);
  }
  return found;
}

interface Regex {
  readonly body: string;
  readonly flags: string;
}

/** Cuts strings, comments and regular expressions out of JavaScript; template literals keep what stands in `${}`. */
function split(code: string): { text: string; regexes: Regex[] } {
  const regexes: Regex[] = [];
  const text = code.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`((?:[^`\\]|\\.)*)`|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=[(,=:[!&|?{};+\-*%~^<>]|\breturn|^)(\s*)\/((?![*/])(?:[^[/\\\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g,
    (whole, template: string | undefined, _space, body: string | undefined, flags: string | undefined) => {
      if (body !== undefined) {
        regexes.push({ body, flags: flags ?? '' });
        return ' /r/ ';
      }
      if (template !== undefined)
        return `"" ${[...template.matchAll(/\$\{([\s\S]*?)\}/g)].map((m) => m[1]).join(' ')} `;
      return whole.startsWith('/') ? ' ' : '""';
    },
  );
  return { text, regexes };
}
