/** The end-of-test text that k6 prints when a script has no handleSummary. */

import { aggregateName, thresholdOf } from '../../../lib/k6/threshold.ts';
import { largest } from '../../../lib/model/extremes.ts';
import type { SummaryData, SummaryMetric } from './data.ts';
import type { GroupResult } from './groups.ts';

const SECTIONS: readonly (readonly [string, (name: string) => boolean])[] = [
  ['HTTP', (name) => name.startsWith('http_')],
  [
    'EXECUTION',
    (name) =>
      ['vus', 'vus_max', 'iterations', 'iteration_duration', 'dropped_iterations', 'group_duration'].includes(name),
  ],
  ['NETWORK', (name) => name === 'data_sent' || name === 'data_received'],
];
/** Times that the compact summary leaves out. */
const HIDDEN = /^http_req_(blocked|connecting|tls_handshaking|sending|waiting|receiving)(\{|$)|^checks(\{|$)/;

export function summaryText(data: SummaryData): string {
  const lines: string[] = ['', ''];
  const judged = Object.entries(data.metrics).filter(([, metric]) => metric.thresholds !== undefined);
  if (judged.length > 0) {
    lines.push('  █ THRESHOLDS ', '');
    for (const [name, metric] of judged.sort(([a], [b]) => a.localeCompare(b))) {
      lines.push(`    ${name}`);
      for (const [source, { ok }] of Object.entries(metric.thresholds ?? {})) {
        lines.push(
          `    ${ok ? '✓' : '✗'} '${source}' ${thresholdValueText(source, metric, data.options.summaryTimeUnit)}`,
        );
      }
      lines.push('');
    }
    lines.push('');
  }
  lines.push('  █ TOTAL RESULTS ', '');
  const checks = data.metrics['checks'];
  if (checks !== undefined) lines.push(...checkLines(checks, data));
  const names = Object.keys(data.metrics).filter((name) => !HIDDEN.test(name));
  const base = (name: string) => name.split('{')[0] ?? name;
  const sectionOf = (name: string) => SECTIONS.find(([, belongs]) => belongs(base(name)))?.[0] ?? 'CUSTOM';
  const labels = names.map((name) => labelOf(name));
  const width =
    largest(
      labels.map((label) => label.length),
      0,
    ) + 3;
  for (const section of ['CUSTOM', 'HTTP', 'EXECUTION', 'NETWORK']) {
    const mine = names.filter((name) => sectionOf(name) === section).sort((a, b) => a.localeCompare(b));
    if (mine.length === 0) continue;
    lines.push(`    ${section}`);
    for (const name of mine) {
      const metric = data.metrics[name];
      if (metric !== undefined) lines.push(`    ${labelOf(name).padEnd(width, '.')}: ${valuesText(metric, data)}`);
    }
    lines.push('');
  }
  lines.push('', '');
  return lines.join('\n');
}

function labelOf(name: string): string {
  const brace = name.indexOf('{');
  return brace < 0 ? name : `  { ${name.slice(brace + 1, -1)} }`;
}

function checkLines(checks: SummaryMetric, data: SummaryData): string[] {
  const { passes = 0, fails = 0 } = checks.values;
  const total = passes + fails;
  const seconds = data.state.testRunDurationMs / 1000;
  const percent = (n: number) => `${((total === 0 ? 0 : n / total) * 100).toFixed(2)}%`;
  return [
    `    checks_total.......: ${total}  ${(total / seconds).toFixed(6)}/s`,
    `    checks_succeeded...: ${percent(passes)} ${passes} out of ${total}`,
    `    checks_failed......: ${percent(fails)} ${fails} out of ${total}`,
    '',
    ...groupLines(data.root_group, '    '),
    '',
  ];
}

function groupLines(group: GroupResult, indent: string): string[] {
  const lines: string[] = [];
  for (const { name, passes, fails } of group.checks) {
    lines.push(`${indent}${fails === 0 ? '✓' : '✗'} ${name}`);
    if (fails > 0) {
      lines.push(`${indent}  ↳  ${Math.floor((passes / (passes + fails)) * 100)}% — ✓ ${passes} / ✗ ${fails}`);
    }
  }
  for (const child of group.groups) lines.push(`${indent}█ ${child.name}`, ...groupLines(child, `${indent}  `));
  return lines;
}

function valuesText(metric: SummaryMetric, data: SummaryData): string {
  const { values, contains, type } = metric;
  const unit = data.options.summaryTimeUnit;
  const text = (value: number) => valueText(value, contains, unit);
  switch (type) {
    case 'trend':
      return Object.entries(values)
        .map(([name, value]) => `${name}=${name === 'count' ? value : text(value)}`)
        .join(' ');
    case 'counter': {
      const { count = 0, rate = 0 } = values;
      return contains === 'data' ? `${text(count)} ${text(rate)}/s` : `${count}  ${rate.toFixed(6)}/s`;
    }
    case 'gauge':
      return `${text(values['value'] ?? 0)}  min=${text(values['min'] ?? 0)} max=${text(values['max'] ?? 0)}`;
    case 'rate': {
      const { rate = 0, passes = 0, fails = 0 } = values;
      return `${(Math.floor(rate * 10000) / 100).toFixed(2)}% ${passes} out of ${passes + fails}`;
    }
  }
}

function thresholdValueText(source: string, metric: SummaryMetric, unit: string): string {
  const parsed = thresholdOf(source);
  const aggregate = parsed === undefined ? '' : aggregateName(parsed);
  const value = metric.values[aggregate];
  if (value === undefined) return '';
  if (metric.type === 'rate') return `rate=${(value * 100).toFixed(2)}%`;
  const plain =
    metric.type === 'counter' ? (aggregate === 'count' ? String(value) : `${value.toFixed(6)}/s`) : undefined;
  return `${aggregate}=${plain ?? valueText(value, metric.contains, unit)}`;
}

/** A value with its unit: times as k6 abbreviates them, bytes in powers of 1000, other numbers with six digits. */
export function valueText(value: number, contains: SummaryMetric['contains'], unit: string): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (contains === 'data') return bytesText(value);
  if (contains === 'default') return trimmed(value.toFixed(6));
  if (unit === 's') return `${(value / 1000).toFixed(6)}s`;
  if (unit === 'ms') return `${value.toFixed(2)}ms`;
  if (unit === 'us') return `${(value * 1000).toFixed(2)}µs`;
  if (value === 0) return '0s';
  if (value < 0.001) return `${trimmed((value * 1e6).toFixed(2))}ns`;
  if (value < 1) return `${trimmed((value * 1000).toFixed(2))}µs`;
  if (value < 1000) return `${trimmed(value.toFixed(2))}ms`;
  if (value < 60_000) return `${trimmed((value / 1000).toFixed(2))}s`;
  const seconds = Math.round(value / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return `${hours > 0 ? `${hours}h` : ''}${minutes}m${seconds % 60}s`;
}

function bytesText(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let step = 0;
  while (Math.abs(size) >= 1000 && step < units.length - 1) {
    size /= 1000;
    step++;
  }
  const digits = step === 0 || size >= 10 ? 0 : 1;
  return `${size.toFixed(digits)} ${units[step]}`;
}

const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
