/** Keeps secrets out of the manifest: a results folder is sent around and kept. */

const SECRET_NAME =
  /TOKEN|SECRET|PASS(?!ED|ES|ING)|CREDENTIAL|AUTH|COOKIE|PRIVATE|JWT|BEARER|HEADER|SESSION(?!S|_ID$)|(?:^|[_-])(?:API)?KEY(?:$|[_-])|apiKey/i;
const MASK = '***';

/** The value of a variable: masked unless its name is known to be harmless; user and password inside a URL always are. */
export function maskVariable(name: string, value: string, harmless: readonly string[]): string {
  return harmless.includes(name) || value === '' ? maskUrl(value) : MASK;
}

/** The value of an option or a tag, masked when its name tells of a secret. */
function maskNamed(name: string, value: string): string {
  return SECRET_NAME.test(name) && value !== '' ? MASK : maskUrl(value);
}

/** URLs in a text with user and password masked, which may hold further `@`, and telling parameters of the query. */
export function maskUrl(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s"'?#]+@/gi, `$1${MASK}@`)
    .replace(/([?&])([\w.-]+)=([^&#\s"']+)/g, (pair, before: string, name: string) =>
      SECRET_NAME.test(name) ? `${before}${name}=${MASK}` : pair,
    );
}

/** Arguments with the values of variables that are not harmless and of telling tags masked, whatever way they were written. */
export function maskArguments(argv: readonly string[], harmless: readonly string[]): string[] {
  return argv.map((word, i) => {
    const pair = /^(-e=?|--env=|--tag=|--header=|)([A-Za-z_][A-Za-z0-9_.-]*)=([\s\S]*)$/.exec(word);
    if (pair === null) return maskUrl(word);
    const [, flag = '', name = '', value = ''] = pair;
    const isVariable = /^(-e|--env)/.test(flag) || ['-e', '--env'].includes(argv[i - 1] ?? '');
    return `${flag}${name}=${isVariable ? maskVariable(name, value, harmless) : maskNamed(name, value)}`;
  });
}

/** Options whose names are those of metrics and hosts: an endpoint `/session` in one tells of no secret in its rules. */
const NAMED_BY_SYSTEM = ['thresholds', 'hosts'];

/**
 * A copy of options in which every text under a telling name, at any depth, is masked, and each variable of a scenario that is
 * not harmless.
 */
export function maskOptions(value: unknown, harmless: readonly string[], name = '', inEnv = false): unknown {
  if (typeof value === 'string') return inEnv ? maskVariable(name, value, harmless) : maskNamed(name, value);
  if (Array.isArray(value)) return value.map((item) => maskOptions(item, harmless, name, inEnv));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      NAMED_BY_SYSTEM.includes(key) && name === ''
        ? item
        : maskOptions(item, harmless, key === 'key' ? 'API_KEY' : key, inEnv || name === 'env'),
    ]),
  );
}

/** Shorter values stand in a log by chance: masked, they would make it unreadable and hide nothing. */
const SHORTEST = 4;
/** The same where not even the name tells of a secret. */
const SHORTEST_UNKNOWN = 8;

/** Masks values wherever they stand in a text, such as a log, and users in URLs. */
export function textMasker(values: readonly string[]): (text: string) => string {
  const long = values.filter((value) => value.length >= SHORTEST);
  return (text) => maskUrl(long.reduce((masked, value) => masked.replaceAll(value, MASK), text));
}

/**
 * Values that stand in no text of a run: of variables that are not harmless, and the user and password of any URL.
 * @param secrets names that a suite calls secret
 */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  harmless: readonly string[],
  secrets: readonly string[],
): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const told = secrets.includes(name) || SECRET_NAME.test(name);
    if (!harmless.includes(name)) return told || value.length >= SHORTEST_UNKNOWN ? [value] : [];
    const user = /^[a-z][a-z0-9+.-]*:\/\/([^/\s?#]+)@/i.exec(value)?.[1];
    if (user === undefined) return [];
    const password = user.slice(user.indexOf(':') + 1);
    return user.includes(':') ? [password, decoded(password)] : [];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
