/** Keeps secrets out of the manifest: a results folder is sent around and kept. */

const SECRET_NAME = /TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|PRIVATE|(?:^|[_-])(?:API)?KEY(?:$|[_-])|apiKey/i;
const MASK = '***';

/**
 * The value, masked when its name tells of a secret; user and password inside a URL are masked always.
 * @param secrets names that a suite calls secret
 */
export function maskValue(name: string, value: string, secrets: readonly string[] = []): string {
  return (SECRET_NAME.test(name) || secrets.includes(name)) && value !== '' ? MASK : maskUrl(value);
}

/** `scheme://user:password@host` with user and password masked. */
export function maskUrl(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi, `$1${MASK}@`);
}

/** Arguments with the values of secret variables and tags masked, whatever way they were written. */
export function maskArguments(argv: readonly string[], secrets: readonly string[] = []): string[] {
  return argv.map((word) => {
    const pair = /^((?:-e=?|--env=|--tag=|--header=)?)([A-Za-z_][A-Za-z0-9_.-]*)=([\s\S]*)$/.exec(word);
    if (pair === null) return maskUrl(word);
    return `${pair[1]}${pair[2]}=${maskValue(pair[2] as string, pair[3] as string, secrets)}`;
  });
}

/** A copy of plain data in which every string under a secret name, at any depth, is masked. */
export function maskDeep(value: unknown, secrets: readonly string[] = [], name = ''): unknown {
  if (typeof value === 'string') return maskValue(name, value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, secrets, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskDeep(item, secrets, key === 'key' ? 'API_KEY' : key)]),
  );
}

/** Shorter values stand in a log by chance: masked, they would make it unreadable and hide nothing. */
const SHORTEST = 4;

/** Masks values of secrets wherever they stand in a text, such as a log. */
export function textMasker(values: readonly string[]): (text: string) => string {
  const long = values.filter((value) => value.length >= SHORTEST);
  return (text) => long.reduce((masked, value) => masked.replaceAll(value, MASK), text);
}
