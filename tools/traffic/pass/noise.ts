/**
 * Requests that no user session sends, by rules the user sees in the result and can switch (`--keep`, `--drop`). Each
 * record gets at most one class, the first that applies in this order.
 */

import { placeholderOf, segmentsOf } from '../templates/segments.ts';

export const NOISE = [
  'none',
  'scanner',
  'health',
  'static',
  'bot',
  'monitoring',
  'preflight',
  'cdn',
  'redirect',
  '4xx',
  '5xx',
] as const;
export type NoiseClass = (typeof NOISE)[number];

/** Why a class is noise, for the table; also the rule in words. */
export const NOISE_RULES: Readonly<Record<Exclude<NoiseClass, 'none'>, string>> = {
  scanner: 'a path that break-in tools ask for (.env, .git, wp-login.php, ...) answered with 4xx',
  health: 'a path segment such as health, healthz, livez, readyz, ping, heartbeat, metrics, server-status',
  static:
    'a file ending such as .css, .js, .png, .woff2, favicon.ico, robots.txt; documents that an id makes (/labels/123.pdf) stay',
  bot: 'an agent that names itself a bot, crawler, spider, or a feed reader',
  monitoring: 'an agent of a probe or a monitor (kube-probe, ELB-HealthChecker, Pingdom, Prometheus, ...)',
  preflight: 'method OPTIONS',
  cdn: 'answered by the cache in front (cache column says hit)',
  redirect:
    'status 301, 302, 303, 307 or 308: the client sends the next request by itself; a POST, PUT, PATCH or DELETE that is answered 301-303 stays',
  '4xx': 'status 400-499',
  '5xx': 'status 500-599',
};

/** What is left out unless the user says otherwise. Failed requests of users stay: the user did send them. */
export const DEFAULT_DROPPED: readonly NoiseClass[] = NOISE.filter((one) => !['none', '4xx', '5xx'].includes(one));

const SCANNER =
  /(\/\.(env|git|svn|aws|ssh|htaccess|DS_Store)|wp-(login|admin|content|includes)|xmlrpc\.php|phpmyadmin|phpunit|cgi-bin|\/etc\/passwd|\.\.(\/|%2f)|\/(boaform|hnap1|solr|actuator\/gateway|manager\/html|vendor\/)|\.(php|asp|aspx|jsp|cgi)[0-9]?$|eval-stdin)/i;
const HEALTH =
  /\/(health|healthz|healthcheck|health-check|health_check|livez|readyz|liveness|readiness|ping|heartbeat|metrics|server-status|nginx_status|stub_status|status\.php|_health|up)\/?$/i;
const STATIC =
  /\.(css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp4|webm|mp3|ogg|pdf|zip|gz|txt|xml|webmanifest|wasm)$/i;

/** What a path says by itself; a scanner's path counts only together with a 4xx answer. */
export const PATH_CLASS = { plain: 0, scanner: 1, health: 2, static: 3 } as const;

export function pathClass(path: string): number {
  if (SCANNER.test(path)) return PATH_CLASS.scanner;
  if (HEALTH.test(path)) return PATH_CLASS.health;
  return STATIC.test(path) && !isMadeDocument(path) ? PATH_CLASS.static : PATH_CLASS.plain;
}

const DOCUMENT = /\.(pdf|zip|txt|xml|gz)$/i;

/**
 * A document named by an id (`/labels/123.pdf`), or below one (`/orders/123/invoice.pdf`), is made when it is asked for; one
 * below several numbers (`/2024/03/menu.pdf`) lies in folders by date. By the kinds of segments only: the kernel knows no others.
 */
function isMadeDocument(path: string): boolean {
  if (!DOCUMENT.test(path)) return false;
  const segments = segmentsOf(path);
  const isId = (segment: string | undefined): boolean => segment !== undefined && placeholderOf(segment) === 'id';
  if (isId(segments.at(-1)?.replace(/\.[a-z]+$/i, ''))) return true;
  return isId(segments.at(-2)) && segments.length > 2 && placeholderOf(segments.at(-3) as string) === undefined;
}

// Cubot makes telephones.
const BOT =
  /(?<!\bcu)bot(?:\b|[/;_-])|crawl|spider|slurp|feedfetcher|feedly|archiver|facebookexternalhit|bytespider|scrapy|mediapartners|yandex(?!browser)|baidu|ahrefs|semrush|gptbot|claudebot|ccbot|nutch|wget\/|python-requests|nikto|nmap|masscan|zgrab|sqlmap|nuclei|gobuster/i;
const MONITOR =
  /kube-probe|healthchecker|googlehc|pingdom|uptimerobot|uptime-kuma|statuscake|prometheus|blackbox|zabbix|nagios|check_http|icinga|datadog|newrelic|site24x7|consul|monit\/|haproxy|amazon-route53|better ?uptime|checkly|catchpoint/i;

export const AGENT_CLASS = { person: 0, bot: 1, monitoring: 2 } as const;

export function agentClass(agent: string): number {
  if (MONITOR.test(agent)) return AGENT_CLASS.monitoring;
  return BOT.test(agent) ? AGENT_CLASS.bot : AGENT_CLASS.person;
}

const INDEX = Object.fromEntries(NOISE.map((name, i) => [name, i])) as Record<NoiseClass, number>;

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * After 301 to 303 a client asks for the next page with GET, so that the POST is all that is known of what the user did; after
 * 307 and 308 it sends the same once more, and that counts.
 */
function isRedirect(status: number): boolean {
  return (status >= 301 && status <= 303) || status === 307 || status === 308;
}

/**
 * The kernel knows four classes of paths and whether the method is OPTIONS, which changes nothing for health checks and static
 * files; what is free there stands for writing to other paths.
 */
export function kernelKind(path: number, method: string): { pathClass: number; options: boolean } {
  if (path === PATH_CLASS.health || path === PATH_CLASS.static) return { pathClass: path, options: false };
  if (!WRITES.has(method)) return { pathClass: path, options: method === 'OPTIONS' };
  return { pathClass: path === PATH_CLASS.scanner ? PATH_CLASS.static : PATH_CLASS.health, options: true };
}

/** Noise class of a kind of the kernel, where no cache has answered. */
export function kernelNoiseOf(pathClass: number, options: boolean, agent: number, status: number): number {
  if (!options) return noiseOf(pathClass, agent, 'GET', status, -1);
  if (pathClass === PATH_CLASS.health) return noiseOf(PATH_CLASS.plain, agent, 'POST', status, -1);
  if (pathClass === PATH_CLASS.static) return noiseOf(PATH_CLASS.scanner, agent, 'POST', status, -1);
  return noiseOf(pathClass, agent, 'OPTIONS', status, -1);
}

/** Index into NOISE of a record. */
export function noiseOf(path: number, agent: number, method: string, status: number, cacheHit: number): number {
  if (path === PATH_CLASS.scanner && status >= 400 && status < 500) return INDEX.scanner;
  if (path === PATH_CLASS.health) return INDEX.health;
  if (path === PATH_CLASS.static) return INDEX.static;
  if (agent === AGENT_CLASS.bot) return INDEX.bot;
  if (agent === AGENT_CLASS.monitoring) return INDEX.monitoring;
  if (method === 'OPTIONS') return INDEX.preflight;
  if (cacheHit === 1) return INDEX.cdn;
  if (isRedirect(status) && (status >= 307 || !WRITES.has(method))) return INDEX.redirect;
  if (status >= 400) return status < 500 ? INDEX['4xx'] : status < 600 ? INDEX['5xx'] : INDEX.none;
  return INDEX.none;
}

/** 1 for each index of NOISE that is left out. */
export function droppedTable(keep: readonly string[], drop: readonly string[]): Uint8Array {
  const table = new Uint8Array(NOISE.length);
  for (const name of DEFAULT_DROPPED) table[INDEX[name]] = 1;
  for (const name of keep) table[INDEX[name as NoiseClass]] = 0;
  for (const name of drop) table[INDEX[name as NoiseClass]] = 1;
  return table;
}
