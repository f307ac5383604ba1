/**
 * The endpoint table of a suite: the single source for `name` tags, threshold keys, routes and the log reader's templates.
 * An entry is a request line: `GET /v1/issues/{id}?status&cursor`. `{id}` must be given with each call and is percent-encoded;
 * a query key alone is sent when it is given; a key with a placeholder (`?search={term}`) must be given and tells the endpoint
 * apart from the same path without it.
 */

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** What is kept of an answer's body. */
export type BodyKind = 'text' | 'binary' | 'none';

/** An endpoint as people write it; a text alone is its `request`. */
export interface EndpointEntry {
  /** `METHOD /path/{placeholder}?optional&required={placeholder}`. */
  readonly request: string;
  /** Statuses that are no failure, 304, 404 and 409 included; every 2xx by default. */
  readonly expect?: readonly number[];
  /** Text that a good answer's body holds; `{id}` in it is what the request was sent with. */
  readonly contains?: string;
  /** What is kept of the body; text by default. `none` costs the generator least. */
  readonly body?: BodyKind;
  /** Headers of each request to it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time after which a request counts as unanswered, s; TIMEOUT by default. */
  readonly timeout?: number;
  /** Redirects that are followed, and only to the host of BASE_URL; none by default. */
  readonly redirects?: number;
  /** Whether the API's cache or a CDN may answer it. */
  readonly cacheable?: boolean;
  /** Body of a good answer as JSON value or text, `{id}` in it as in `contains`: with it a flow is counted before the run, and rehearsed. */
  readonly example?: unknown;
}

export type EndpointTable = Readonly<Record<string, EndpointEntry | string>>;

/** An endpoint with everything written out. */
export interface Endpoint {
  /** Key of the table. */
  readonly key: string;
  /** `name` tag of every request and subject of objectives: method, path template and required query key. */
  readonly name: string;
  readonly method: Method;
  /** Path with `{placeholders}`, without the query. */
  readonly template: string;
  /** Query key whose presence makes it another endpoint than the same path without it. */
  readonly query?: string;
  /** Text and placeholder names in turn, beginning and ending with text: what is sent. */
  readonly path: readonly string[];
  /** Query keys that are sent when they are given. */
  readonly optional: readonly string[];
  /** Expected statuses; empty for every 2xx. */
  readonly expected: readonly number[];
  /** `contains` in the form of `path`. */
  readonly contains?: readonly string[];
  readonly body: BodyKind;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly redirects: number;
  readonly cacheable: boolean;
  readonly example?: unknown;
}

/** Texts and the names in braces between them, in turn. */
const piecesOf = (text: string): string[] => text.split(/\{([^{}]*)\}/);

/**
 * Reads one entry.
 * @throws Error with one sentence that names the entry and what would be right
 */
export function readEndpoint(key: string, entry: EndpointEntry | string): Endpoint {
  const {
    request,
    expect = [],
    body = 'text',
    contains,
    redirects = 0,
    cacheable = false,
    ...rest
  } = typeof entry === 'string' ? ({ request: entry } as EndpointEntry) : entry;
  const wrong = (what: string) => new Error(`endpoint ${key} "${request}": ${what}`);
  const line = /^([A-Z]+) (\/[^\s?#]*)(?:\?(\S*))?$/.exec(request ?? '');
  if (line === null) throw wrong('give a method and a path, as in "GET /v1/issues/{id}?status"');
  const [, method = '', template = '', keys] = line;
  if (!(METHODS as readonly string[]).includes(method)) throw wrong(`the method must be one of ${METHODS.join(', ')}`);
  if (/[,"]/.test(request)) throw wrong('k6 takes a comma or a quote in a tag for its end: leave it out');
  const pairs = (keys ?? '').split('&').filter((pair) => pair !== '');
  const required = pairs.filter((pair) => pair.includes('='));
  const sent = required.length === 0 ? template : `${template}?${required.join('&')}`;
  const path = piecesOf(sent);
  if (path.some((piece, i) => (i % 2 === 0 ? /[{}]/.test(piece) : !/^[\w-]+$/.test(piece)))) {
    throw wrong('a placeholder is a name in braces, as in {id}');
  }
  if (expect.some((status) => !(Number.isInteger(status) && status >= 100 && status <= 599))) {
    throw wrong('expect lists statuses from 100 to 599');
  }
  const optional = pairs.filter((pair) => !pair.includes('='));
  if (optional.some((key) => /[{}]/.test(key))) throw wrong('a query key takes a placeholder as in ?search={term}');
  const text = contains === undefined ? undefined : piecesOf(contains);
  const unknown = text?.find((piece, i) => i % 2 === 1 && !path.some((name, j) => j % 2 === 1 && name === piece));
  if (unknown !== undefined) throw wrong(`contains speaks of {${unknown}}, which the request does not have`);
  if (text !== undefined && body !== 'text') throw wrong(`contains looks into a text, and of the body ${body} is kept`);
  const query = required[0]?.split('=')[0];
  return {
    key,
    name: `${method} ${template}${query === undefined ? '' : `?${query}=`}`,
    method: method as Method,
    template,
    ...(query !== undefined && { query }),
    path,
    optional,
    expected: expect,
    ...(text !== undefined && { contains: text }),
    body,
    redirects,
    cacheable,
    ...rest,
  };
}

/**
 * All endpoints of a table, in its order.
 * @throws Error with one sentence for the first that cannot be, or for two of one name
 */
export function readEndpoints(table: EndpointTable): Endpoint[] {
  const endpoints = Object.entries(table).map(([key, entry]) => readEndpoint(key, entry));
  const names = new Map<string, string>();
  for (const { key, name } of endpoints) {
    const other = names.get(name);
    if (other !== undefined) throw new Error(`endpoints ${other} and ${key} are both "${name}": one entry is enough`);
    names.set(name, key);
  }
  return endpoints;
}

/** Status that a good answer has. */
export const goodStatus = ({ expected }: Pick<Endpoint, 'expected'>): number => expected[0] ?? 200;

/** Body of a good answer, as far as the table says it. @param value what a placeholder was sent with */
export function goodBody({ example, contains, path }: Endpoint, value: (placeholder: string) => string): string {
  if (example === undefined) return (contains ?? []).map((piece, i) => (i % 2 === 0 ? piece : value(piece))).join('');
  const names = path.filter((_, i) => i % 2 === 1);
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return text.replace(/\{([\w-]+)\}/g, (braces, name: string) => (names.includes(name) ? value(name) : braces));
}

type Split<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${infer Tail}`
  ? Head | Split<Tail, Mark>
  : Text;
type RequestOf<Entry> = Entry extends string
  ? Entry
  : Entry extends { readonly request: infer R extends string }
    ? R
    : '';
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type QueryKeys<Text extends string> = Text extends `${string}?${infer Query}` ? Split<Query, '&'> : never;
type OptionalKeys<Text extends string> = Exclude<QueryKeys<Text>, `${string}=${string}` | ''>;

export type ParameterValue = string | number | boolean;
/** What a call of an endpoint must and may be given: its placeholders, and its optional query keys. */
export type ParametersOf<Entry> = { readonly [N in Placeholders<RequestOf<Entry>>]: ParameterValue } & {
  readonly [N in OptionalKeys<RequestOf<Entry>>]?: ParameterValue | undefined;
};
/** Whether a call of the endpoint can go without parameters. */
export type NeedsParameters<Entry> = [Placeholders<RequestOf<Entry>>] extends [never] ? false : true;
/** What is kept of the body. */
export type BodyOf<Entry> = Entry extends { readonly body: infer B extends BodyKind } ? B : 'text';
