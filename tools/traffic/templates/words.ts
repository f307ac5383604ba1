/** What the words in a path say by themselves: names of functions, values by their look, parents whose children are values. */
import { isPlaceholder } from './segments.ts';

/** What functions of an interface begin with or are called. */
export const VERBS: ReadonlySet<string> = new Set(
  (
    'get list create update delete remove add set find search fetch query check validate verify submit send cancel start stop ' +
    'login logout signin signout signup register reset change upload download import export sync batch bulk count is has can ' +
    'do run exec execute process calculate compute save load put post patch approve reject assign refresh subscribe ' +
    'unsubscribe publish enable disable confirm complete close open move copy apply estimate resolve generate notify pay ' +
    'refund charge edit new all page info detail details index view show checkout clear merge accept insert upsert read write ' +
    'activate deactivate archive restore lock unlock mark ping invoke call convert preview print'
  ).split(' '),
);

/** Segments that stand beside values without being one. */
const RESERVED = new Set(
  (
    'me self current new search latest recent popular top all count stats status login logout register export import batch ' +
    'bulk default mine index checkout cart suggest autocomplete featured random'
  ).split(' '),
);

export function isReserved(segment: string): boolean {
  return RESERVED.has(segment.toLowerCase());
}

/** Whether a programmer has named it: `listOrders`, `get_user`, `GetUser`, `chat.postMessage`, `cancel-order`. */
export function isCodeWord(segment: string): boolean {
  if (!/^[A-Za-z][\w.-]*$/.test(segment) || segment.length > 60) return false;
  if (/^[a-z]+[A-Z][A-Za-z]*$/.test(segment)) return true;
  const last = segment.slice(segment.lastIndexOf('.') + 1);
  const words = last.split(/[_-]|(?<=[a-z])(?=[A-Z])/);
  if (/^[a-z]+[A-Z]/.test(last)) return true;
  if (VERBS.has((words[0] as string).toLowerCase())) return true;
  return last.includes('_') && VERBS.has((words.at(-1) as string).toLowerCase());
}

/**
 * Whether it looks like a value: letters mixed with three digits or more, decimals, text in percent signs; `weak` with one or
 * two digits, as `h264` and `step2` have too. Versions are none.
 */
export function valueShape(segment: string): 'strong' | 'weak' | 'none' {
  if (/^v?\d+(\.\d+){0,2}$/i.test(segment) || /^v\d+((alpha|beta|rc)\d*)?$/i.test(segment)) return 'none';
  if (/%(2[0-9b-f]|3[a-f]|[89a-f][0-9a-f])|[+,;=()'*!@|~ ]/i.test(segment) || /[^\x21-\x7e]/.test(segment))
    return 'strong';
  const digits = segment.replace(/[^0-9]/g, '').length;
  if (digits === 0 || isCodeWord(segment)) return 'none';
  return digits >= 3 ? 'strong' : 'weak';
}

const NAMESPACE =
  /^(api|apis|rpc|rest|services?|resources?|collections?|svc|ws|internal|public|private|admin|app|apps|web|ajax|actions?|methods?|commands?|cmds?|functions?|fn|auth|account|oauth2?|pages|graphql|twirp|gateway|backend|bff|mobile|site|docs|help|about|legal|settings|static|assets|reports|tools|metrics|status|debug|config|modules|plugins|jobs|tasks|events|hooks|webhooks|operations|v\d+.*|\d+(\.\d+)*)$/i;
const VALUES =
  /^(user|u|tel|phone|search|find|s|q|tag|t|category|cat|author|city|country|region|lang|locale|profile|member|people|person|customer|product|p|item|brand|article|blog|news|store|depot|station|team|org|tenant|company|by-?[a-z]+|@|name|word|term|topic|genre|series|media|staff|wiki|geo|lookup)$/i;

/** What a parent's name says of its children: values behind a plural (`/users/anna`), endpoints behind `/api` and `/v1`. */
export function parentKind(segment: string): 'values' | 'neutral' | 'namespace' {
  if (segment === '' || isPlaceholder(segment) || NAMESPACE.test(segment) || segment.includes('.')) return 'namespace';
  if (VALUES.test(segment) || /[a-z]{2}[a-rt-z]s$/i.test(segment)) return 'values';
  return 'neutral';
}

/** Placeholder name of values. */
export function placeholderFor(values: readonly string[]): string {
  if (values.every((value) => /^[a-z]{2}([-_][A-Za-z]{2,4})?$/.test(value))) return '{lang}';
  return values.filter((value) => value.includes('-')).length * 2 > values.length ? '{slug}' : '{name}';
}
