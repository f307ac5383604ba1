/** What a run left in its CSV and on its console, without times: the part that two engines must agree on. */
import Papa from 'papaparse';

export type Row = Readonly<Record<string, string>>;

/** Gauges of every full second: a run's length decides whether there is one. */
export const SKIPPED: readonly string[] = ['vus', 'vus_max'];
/** Parts of a request's time: a row each for every row of http_reqs, with the same tags. */
const PARTS = /^http_req_(blocked|connecting|tls_handshaking|sending|waiting|receiving)$/;
const TIMES = /^(http_req_(?!failed)|iteration_duration|group_duration|data_)/;

export const readRows = (csv: string): readonly Row[] => Papa.parse<Row>(csv.trim(), { header: true }).data as Row[];

/** Rows by metric and tags: how many, and their sum where values are no times. */
export function countRows(samples: readonly Row[]): Record<string, string> {
  const counts = new Map<string, { n: number; sum: number }>();
  for (const row of samples) {
    const { metric_name: metric = '', timestamp: _, metric_value: value, extra_tags: extra, metadata, ...tags } = row;
    if (SKIPPED.includes(metric) || PARTS.test(metric)) continue;
    const list = [
      ...Object.entries(tags).map(([name, tag]) => (tag === '' ? '' : `${name}=${tag}`)),
      ...(extra ?? '').split('&'),
      ...(metadata ?? '').split('&').map((pair) => (pair === '' ? '' : `(${pair})`)),
    ];
    const key = [metric, ...list.filter((pair) => pair !== '').sort()].join(' ');
    const count = counts.get(key) ?? { n: 0, sum: 0 };
    count.n++;
    count.sum += Number(value?.replace('Inf', 'Infinity'));
    counts.set(key, count);
  }
  return Object.fromEntries(
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { n, sum }]) => [key, TIMES.test(key) ? `${n}` : `${n} sum ${sum}`]),
  );
}

/** What the script printed, sorted. @param stderr log lines in logfmt */
export function consoleLines(stderr: string): string[] {
  return stderr
    .split('\n')
    .filter((line) => / level=info /.test(line) && line.endsWith(' source=console'))
    .map((line) => {
      const text = /msg=(.*) source=console$/.exec(line)?.[1] ?? '';
      return text.startsWith('"') ? (JSON.parse(text) as string) : text;
    })
    .sort();
}
