/** Damage as files meet it: flipped bytes, lost and doubled stretches, cut ends, and values nobody expects. Pure. */
import type { Random } from '../../../../lib/model/random.ts';

/** Values that a field is replaced by. */
const ODD = [
  '',
  '-1',
  '0',
  '1e999',
  '-1e308',
  'NaN',
  '+Inf',
  '9'.repeat(400),
  'null',
  '[]',
  '{}',
  '{"a":{"b":[[]]}}',
  '"x"',
  'true',
  '"__proto__"',
  '18446744073709551616',
  '1970-01-01T00:00:00Z',
  "'; DROP TABLE samples; --",
  '\u0000',
  '\ufeff',
  '"',
  '\\',
  '</script>',
  '%s%n',
] as const;

/** No mutation makes a file longer than this. */
const LONGEST = 64 * 1024;

const whole = (random: Random, below: number): number => Math.floor(random() * below);

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // Some bytes become others.
  (bytes, random) => {
    const made = Buffer.from(bytes);
    for (let k = 0; k <= whole(random, 8); k++) made[whole(random, made.length)] = whole(random, 256);
    return made;
  },
  // One bit.
  (bytes, random) => {
    const made = Buffer.from(bytes);
    const at = whole(random, made.length);
    made[at] = (made[at] ?? 0) ^ (1 << whole(random, 8));
    return made;
  },
  // The end is missing.
  (bytes, random) => bytes.subarray(0, whole(random, bytes.length)),
  // A stretch is missing.
  (bytes, random) => {
    const at = whole(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + whole(random, 200))]);
  },
  // A stretch stands there twice, or elsewhere: two writers.
  (bytes, random) => {
    const from = whole(random, bytes.length);
    const at = whole(random, bytes.length);
    const stretch = bytes.subarray(from, from + whole(random, 400));
    return Buffer.concat([bytes.subarray(0, at), stretch, bytes.subarray(at)]);
  },
  // Two files in one.
  (bytes) => Buffer.concat([bytes, bytes]),
  // Another value in the place of a word or number, three times at most.
  (bytes, random) => {
    let text = bytes.toString('latin1');
    for (let k = 0; k <= whole(random, 3); k++) {
      const fields = [...text.matchAll(/"[^"\n]{0,60}"|[A-Za-z_][\w.()-]*|-?\d+(?:\.\d+)?/g)];
      const field = fields[whole(random, fields.length)];
      if (field === undefined) break;
      const odd = Buffer.from(ODD[whole(random, ODD.length)] ?? '').toString('latin1');
      text = text.slice(0, field.index) + odd + text.slice(field.index + field[0].length);
    }
    return Buffer.from(text, 'latin1');
  },
  // A line is missing, or two have changed places.
  (bytes, random) => {
    const lines = bytes.toString('latin1').split('\n');
    const [a, b] = [whole(random, lines.length), whole(random, lines.length)];
    const [first = '', second = ''] = [lines[a], lines[b]];
    if (random() < 0.5) lines.splice(a, 1);
    else {
      lines[a] = second;
      lines[b] = first;
    }
    return Buffer.from(lines.join('\n'), 'latin1');
  },
];

/** The bytes with one to three kinds of damage. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let made = bytes;
  for (let k = 0; k <= whole(random, 3); k++) {
    const mutation = MUTATIONS[whole(random, MUTATIONS.length)];
    if (mutation !== undefined && made.length > 0) made = mutation(made, random);
  }
  return made.subarray(0, LONGEST);
}

/** Values that stand where another was, in a document that stays JSON. */
const ODD_JSON: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'x',
  '1e999',
  '</script>',
  '\u0000',
  [],
  {},
  [[]],
  [null],
  { a: { b: 1 } },
  Array.from({ length: 50 }, (_, n) => n),
];

/** A JSON document with one to four values replaced, removed, or put under an odd name; undefined when it is none. */
export function mutateJson(bytes: Buffer, random: Random): Buffer | undefined {
  let document: unknown;
  try {
    document = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  for (let k = 0; k <= whole(random, 4); k++) {
    const places = placesIn(document);
    const place = places[whole(random, places.length)];
    if (place === undefined) break;
    const { parent, key } = place;
    const draw = random();
    if (draw < 0.6) parent[key] = structuredClone(ODD_JSON[whole(random, ODD_JSON.length)]);
    else if (draw < 0.8) delete parent[key];
    else parent[ODD[whole(random, ODD.length)] ?? ''] = parent[key];
  }
  return Buffer.from(JSON.stringify(document));
}

type Container = Record<string, unknown>;

/** Every value of a document by the object or list that holds it. */
function placesIn(value: unknown): { parent: Container; key: string }[] {
  if (value === null || typeof value !== 'object') return [];
  const parent = value as Container;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])]);
}
