// Runs inside the virtual machine, before everything else: what is the same for all VUs. Where scripts run as V8's own code it is
// made once for all of them, so that V8 meets a response of one VU as it meets those of the others; nothing that a script can get
// hold of here can be changed. No VU's globals (Date, Math, console) here.

/** k6 reports errors of its own functions under this name. */
export class GoError extends Error {
  constructor(message) {
    super(message);
    this.name = 'GoError';
  }
}
Object.freeze(GoError.prototype);
Object.freeze(GoError);

/** k6 takes strings, numbers and booleans as tag values and nothing else. Returns the first bad key. */
export function badTag(tags) {
  for (const key of Object.keys(tags)) {
    const type = typeof tags[key];
    if (type !== 'string' && type !== 'number' && type !== 'boolean') return key;
  }
  return undefined;
}

export function badTagMessage(key) {
  return `invalid value for metric tag '${key}': only String, Boolean and Number types are accepted as a metric tag values`;
}

export function textTags(tags) {
  const out = {};
  for (const key of Object.keys(tags)) out[key] = String(tags[key]);
  return out;
}

const hex = (byte) => byte.toString(16).padStart(2, '0');

/** Text of a value the way k6's console prints it. @param above the objects that hold it; none at the top */
export function inspect(value, above = undefined) {
  const nested = above !== undefined;
  if (typeof value === 'string') return nested ? `"${value}"` : value;
  if (typeof value === 'function') return '[object Function]';
  if (typeof value === 'symbol') return nested ? `"${value.description}"` : String(value.description);
  if (value === undefined && nested) return 'null';
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Error) return String(value);
  if (typeof value.toISOString === 'function' && typeof value.getTime === 'function') return JSON.stringify(value);
  const holders = above ?? [];
  if (holders.includes(value)) return '[Circular]';
  const inner = [...holders, value];
  if (value instanceof ArrayBuffer) {
    const bytes = Array.from(new Uint8Array(value), hex).join(' ');
    return `ArrayBuffer { [Uint8Contents]: <${bytes}>, byteLength: ${value.byteLength} }`;
  }
  if (ArrayBuffer.isView(value) && value.length !== undefined) {
    const items = Array.from(value, (item) => inspect(item, inner));
    return `${value[Symbol.toStringTag]}(${value.length}) ${inBrackets('[', items, ']')}`;
  }
  if (Array.isArray(value))
    return inBrackets(
      '[',
      Array.from(value, (item) => inspect(item, inner)),
      ']',
    );
  const fields = Object.keys(value).map((key) => `${key}: ${inspect(value[key], inner)}`);
  return inBrackets('{', fields, '}');
}

const inBrackets = (open, items, close) => (items.length === 0 ? open + close : `${open} ${items.join(', ')} ${close}`);

/** What Go's JSON says of a value that it cannot hold. @param above the objects that hold it */
export function jsonFault(value, above = []) {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return `unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`;
  }
  if (typeof value === 'function') return 'unsupported type: func(sobek.FunctionCall) sobek.Value';
  if (value === null || typeof value !== 'object' || typeof value.toJSON === 'function') return undefined;
  if (above.includes(value)) {
    const type = Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
    return `unsupported value: encountered a cycle via ${type}`;
  }
  for (const key of Object.keys(value)) {
    const fault = jsonFault(value[key], [...above, value]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function deepFreeze(value) {
  if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) deepFreeze(value[key]);
    Object.freeze(value);
  }
  return value;
}

export function frozenJson(text) {
  return deepFreeze(JSON.parse(text));
}

export function latin1ToBuffer(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export function bufferToLatin1(buffer) {
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += String.fromCharCode(bytes[i]);
  return text;
}

export const noTimings = () => ({
  duration: 0,
  blocked: 0,
  looking_up: 0,
  connecting: 0,
  tls_handshaking: 0,
  sending: 0,
  waiting: 0,
  receiving: 0,
});

const PLAIN_PATH = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/** The value at a dotted path of names and indices. */
function member(value, path) {
  let at = value;
  for (const key of path.split('.')) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined;
    if (Array.isArray(at) && !/^[0-9]+$/.test(key)) return undefined;
    at = at[key];
  }
  return at;
}

class Response {
  #parsed;
  #help;

  /** @param help what the engine does of `json()` for this VU */
  constructor(facts, help) {
    this.#help = help;
    if (facts !== undefined) Object.assign(this, facts);
  }

  json(selector) {
    if (this.body === null || this.body === undefined) {
      throw new GoError(
        "the body is null so we can't transform it to JSON - this likely was because of a request error getting the response",
      );
    }
    if (this.#parsed === undefined) {
      const text = typeof this.body === 'string' ? this.body : bufferToText(this.body);
      try {
        this.#parsed = { value: JSON.parse(text), text };
      } catch (error) {
        if (selector !== undefined) return undefined;
        throw new GoError(this.#help.explain(text) ?? error.message);
      }
    }
    const { value, text } = this.#parsed;
    if (selector === undefined) return value;
    const path = String(selector);
    return PLAIN_PATH.test(path) ? member(value, path) : this.#help.select(text, path);
  }

  html(selector) {
    return this.#help.html(this.body, selector);
  }
  submitForm() {
    return this.#help.refuse('Response.submitForm()');
  }
  clickLink() {
    return this.#help.refuse('Response.clickLink()');
  }
}

/** The answer of a model, of which there are millions: it holds what models differ in, its prototype the rest. */
class LeanResponse extends Response {
  constructor(facts, help) {
    super(undefined, help);
    this.status = facts.status;
    this.body = facts.body;
    this.headers = facts.headers;
    this.timings = facts.timings;
    if (facts.error !== undefined) this.error = facts.error;
    if (facts.error_code !== undefined) this.error_code = facts.error_code;
  }
}

for (const name of ['json', 'html', 'submitForm', 'clickLink']) {
  lend(Response.prototype, name, Object.freeze(Response.prototype[name]), false);
}
const LEFT_OUT = {
  remote_ip: '',
  remote_port: 0,
  url: '',
  status_text: '',
  proto: 'HTTP/1.1',
  cookies: Object.freeze({}),
  tls_version: '',
  tls_cipher_suite: '',
  error: '',
  error_code: 0,
  request: Object.freeze({}),
};
for (const name of Object.keys(LEFT_OUT)) lend(LeanResponse.prototype, name, LEFT_OUT[name], true);
for (const made of [Response, LeanResponse]) {
  Object.freeze(made.prototype);
  Object.freeze(made);
}

/** Gives objects a member that each may replace by one of its own, though nobody can change it for the others. */
function lend(prototype, name, value, enumerable) {
  Object.defineProperty(prototype, name, {
    enumerable,
    get: Object.freeze(() => value),
    set: Object.freeze(function (own) {
      Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
    }),
  });
}

export function newResponse(facts, help) {
  return facts.proto === undefined ? new LeanResponse(facts, help) : new Response(facts, help);
}

export function bufferToText(buffer) {
  // Bytes are UTF-8; percent-decoding is the decoder that this engine has.
  return decodeURIComponent(bufferToLatin1(buffer).replace(/[^ -$&-~]/g, percent));
}
const percent = (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
