/** Which hosts load may go to: this machine, and others that are named twice. */

/** 127.0.0.0/8 as dotted quads; what is none, or has leading zeros, other programs may read as a name or in octal. */
const LOOPBACK = /^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Whether the text is an IPv4 address of this machine's loopback net, written in full. */
export const isLoopbackV4 = (host: string): boolean => LOOPBACK.test(host);

/** Host of an http(s) URL in lower case, without port and user; undefined if it is no such URL. */
export function hostOf(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#\\\s]+)(?:[/?#]\S*)?$/i.exec(url)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1);
  return /^(\[[\da-f:.]+\]|[^[\]:@]+)(:\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase();
}

/** A URL as it may be shown: without user and password. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^/?#\s]*@/, '//');

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || isLoopbackV4(host);
}

/**
 * Foreign hosts must be named twice.
 * @throws Error with one sentence
 */
export function checkTarget(baseUrl: string, allowed: string): void {
  const host = hostOf(baseUrl);
  if (host === undefined)
    throw new Error(`BASE_URL=${withoutUser(baseUrl)} is not valid: give an http:// or https:// URL with a host`);
  if (/[?#]/.test(baseUrl)) {
    throw new Error(
      `BASE_URL=${withoutUser(baseUrl)} is not valid: paths are added to its end, so leave out the query or fragment from ? or # on`,
    );
  }
  if (isLoopback(host) || host === allowed.toLowerCase()) return;
  throw new Error(
    `BASE_URL names ${host}, which is not this machine: add -e ALLOW_TARGET=${host} if you may send load there`,
  );
}

/** A host without its port; an IPv6 address without brackets has none. */
const withoutPort = (text: string): string => text.replace(/^(\[[^\]]*\]|[^:]*):\d+$/, '$1');

/**
 * k6's option `hosts` may send what is meant for one host to another.
 * @param hosts as k6 has it: addresses by host, `host:port` or pattern
 * @throws Error with one sentence where that concerns the target and the other host was not named
 */
export function checkHosts(baseUrl: string, hosts: unknown, allowed: string): void {
  // k6 knows an IPv6 address without its brackets.
  const bare = (name: string) => name.toLowerCase().replace(/^\[|\]$/g, '');
  const host = bare(hostOf(baseUrl) ?? '');
  if (host === '' || hosts === null || typeof hosts !== 'object') return;
  for (const [from, to] of Object.entries(hosts as Record<string, unknown>)) {
    const name = bare(withoutPort(from));
    const concerned = name === host || (name.startsWith('*') && host.endsWith(name.slice(1)));
    const other = bare(withoutPort(`${to}`));
    if (concerned && other !== host && other !== bare(allowed)) {
      // A foreign host has taken ALLOW_TARGET for itself.
      const remedy = isLoopback(hostOf(baseUrl) ?? '') ? `add -e ALLOW_TARGET=${other}` : `name ${other} in BASE_URL`;
      throw new Error(
        `the option hosts sends what is meant for ${host} to ${other}, which nobody named: take it out, or ${remedy}`,
      );
    }
  }
}

/**
 * k6 takes a proxy from the environment, which then gets all requests; none for loopback targets, nor for what `NO_PROXY` names.
 * @throws Error with one sentence where a proxy gets what is meant for the target
 */
export function checkProxy(baseUrl: string, env: Readonly<Record<string, string | undefined>>): void {
  const host = hostOf(baseUrl) ?? '';
  if (host === '' || isLoopback(host)) return;
  const spared = `${env['NO_PROXY'] ?? env['no_proxy'] ?? ''}`.toLowerCase().split(',');
  const isSpared = spared.some((one) => {
    const name = withoutPort(one.trim()).replace(/^\*?\./, '');
    return one.trim() === '*' || (name !== '' && (host === name || host.endsWith(`.${name}`)));
  });
  if (isSpared) return;
  const scheme = /^https:/i.test(baseUrl) ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  for (const name of [scheme, scheme.toLowerCase()]) {
    const proxy = env[name];
    if (!proxy) continue;
    const through = hostOf(/:\/\//.test(proxy) ? proxy : `http://${proxy}`) ?? withoutUser(proxy);
    if (through === host) continue;
    throw new Error(
      `${name} sends what is meant for ${host} through ${through}, which nobody named and whose time would be measured too: unset it, or name ${host} in NO_PROXY`,
    );
  }
}

/**
 * k6's option `maxRedirects`, which a plan sets to 0, may be given where the run is started, and k6 follows to any host. To say
 * `redirects: 0` with every request would cost the generator some 4 us each, so such a run is refused.
 * @throws Error with one sentence for anything above 0
 */
export function checkRedirects(maxRedirects: unknown): void {
  if (maxRedirects === undefined || maxRedirects === null || maxRedirects === 0) return;
  throw new Error(
    `k6 is told to follow ${maxRedirects} redirects, to whatever host: leave out --max-redirects, K6_MAX_REDIRECTS and maxRedirects; endpoints follow theirs with \`redirects\``,
  );
}
