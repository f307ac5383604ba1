/** Where connections go: the options `hosts` and `blockHostnames`. */

export interface Destinations {
  /** Name, or name with port, with `*` at its begin for all names below; to an address with or without a port. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Names that nothing may be sent to. */
  readonly blocked: readonly string[];
}

export interface Destination {
  readonly hostname: string;
  readonly port: string;
}

/** The address that `hosts` puts in place of a name; the longest pattern wins. */
export function destinationOf({ hosts }: Destinations, name: string, port: string): Destination | undefined {
  const found = Object.keys(hosts)
    .filter((pattern) => matches(pattern, name) || matches(pattern, `${name}:${port}`))
    .sort((a, b) => b.length - a.length)[0];
  const to = found === undefined ? undefined : hosts[found];
  if (to === undefined) return undefined;
  const [, hostname = to, given = port] =
    /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(to.replace(/^([0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]*)$/i, '[$1]')) ?? [];
  return { hostname, port: given };
}

/** What k6 says of a request to a blocked name. */
export function blockOf({ blocked }: Destinations, name: string): string | undefined {
  return blocked.some((pattern) => matches(pattern, name)) ? 'hostname is blocked' : undefined;
}

function matches(pattern: string, name: string): boolean {
  const [one, other] = [pattern.toLowerCase(), name.toLowerCase()];
  return one.startsWith('*') ? other.endsWith(one.slice(1)) : one === other;
}
