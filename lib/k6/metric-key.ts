/** Keys of k6's thresholds and summaries: a metric, or its samples with some tags, `http_reqs{name:GET /books,status:200}`. */

export interface MetricKey {
  readonly metric: string;
  /** Empty for the metric as a whole. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Whether k6 takes a name for a metric of a script: 2 to 129 characters, though its message says 128. */
export function isMetricName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]{1,128}$/.test(name);
}

/**
 * Reads a key as k6 does: values may hold `:`, `{` and `}`, since the first brace opens and the last character closes; a
 * comma always ends a pair; blanks around tags and values go, and then quotes around them.
 * @returns for a key that k6 refuses, why
 */
export function parseMetricKey(key: string): MetricKey | { readonly fault: string } {
  const open = key.indexOf('{');
  if (open < 0 && !key.includes('}')) return { metric: key, tags: {} };
  if (open < 0 || !key.endsWith('}')) return { fault: `"${key}" must end with the brace that closes its tags` };
  const tags: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of key.slice(open + 1, -1).split(',')) {
    const colon = pair.indexOf(':');
    if (colon < 0 || colon === pair.length - 1) return { fault: `"${pair}" in "${key}" is not of the form tag:value` };
    const name = bare(pair.slice(0, colon));
    // k6 v2.2 crashes over it.
    if (name === '') return { fault: `"${pair}" in "${key}" has no name of a tag` };
    tags[name] = bare(pair.slice(colon + 1));
  }
  return { metric: key.slice(0, open), tags };
}

const bare = (text: string): string => text.trim().replace(/^["']+|["']+$/g, '');

/**
 * Key of a metric and tags, the tags in alphabetical order: k6 takes two orders of one set for one sub-metric and keeps only
 * one of their lists.
 * @throws RangeError for a tag that k6 would read back as another: with a comma, or with blanks or quotes around it
 */
export function metricKey(metric: string, tags: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(tags)) {
    if (
      name === '' ||
      /[,:]/.test(name) ||
      value === '' ||
      value.includes(',') ||
      bare(name) !== name ||
      bare(value) !== value
    ) {
      throw new RangeError(
        `tag ${name} "${value}" cannot stand in a threshold: it has a comma, or a blank or quote around it`,
      );
    }
  }
  return joined({ metric, tags });
}

/** One spelling for all orders and quotings of the same tags; a key that k6 refuses stays as it is. */
export function canonicalKey(key: string): string {
  const parsed = parseMetricKey(key);
  return 'fault' in parsed ? key : joined(parsed);
}

function joined({ metric, tags }: MetricKey): string {
  const names = Object.keys(tags).sort();
  return names.length === 0 ? metric : `${metric}{${names.map((name) => `${name}:${tags[name]}`).join(',')}}`;
}
