/**
 * A k6 scenario for the endpoints found in a log of any API: runs as it stands and gives the log's mix back; the user fills in
 * real ids and bodies at the marked places.
 */
import { join } from 'node:path';
import type { Workload } from '../../lib/workload.ts';
import { writeOutput } from '../output-file.ts';
import { stepName } from './model/flow-shapes.ts';
import type { TrafficModel } from './model/model.ts';
import { parseTemplate } from './templates/route-table.ts';

/** Writes `scenario.ts` and `workload.json` into the folder. */
export function writeSkeleton(model: TrafficModel, folder: string, workload: Workload): void {
  writeOutput(join(folder, 'workload.json'), `${JSON.stringify(workload, null, 2)}\n`);
  writeOutput(join(folder, 'scenario.ts'), skeleton(model, workload));
}

export function skeleton(model: TrafficModel, workload: Workload): string {
  const { flows } = model.flows;
  const endpoints = [...new Set(flows.flatMap((flow) => flow.steps))];
  const catalogue = 'refused' in model.popularity ? 1000 : model.popularity.catalogue;
  const open = Math.ceil(2 * workload.arrivals.rate * Math.max(1, model.sessions.meanSeconds));
  return `/**
 * Generated from an access log by \`bookstore-load traffic --skeleton\`. It runs as it stands:
 *
 *   k6 run -e BASE_URL=http://127.0.0.1:8080 scenario.ts
 *
 * Fill in what a log cannot tell: real ids in \`valueOf\`, request bodies in \`bodyOf\`, checks of the answers.
 */
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';

type Law =
  | { law: 'fixed'; value: number }
  | { law: 'uniform'; min: number; max: number }
  | { law: 'lognormal'; mu: number; sigma: number; cap?: number }
  | { law: 'exponential'; mean: number; cap: number }
  | { law: 'empirical'; quantiles: number[] };
type Popularity =
  | { law: 'single'; index?: number }
  | { law: 'uniform' }
  | { law: 'power'; g: number }
  | { law: 'zipf'; s: number }
  | { law: 'empirical'; curve: [number, number][] };
interface Workload {
  arrivals: { rate: number };
  flows: Record<string, { share: number; thinkTimes: Record<string, Law> }>;
  popularity: Popularity;
}

const workload: Workload = JSON.parse(open('./workload.json'));
const BASE_URL = __ENV.BASE_URL ?? 'http://127.0.0.1:8080';
const RATE = Number(__ENV.RATE ?? workload.arrivals.rate);
const DURATION = __ENV.DURATION ?? '1m';
const THINK = Number(__ENV.THINK ?? 1);
/** Items that exist. */
const ITEMS = ${catalogue};

/** TODO: the id of the item at this place in your own data, for each placeholder of a path. */
function valueOf(placeholder: string, rank: number): string {
  switch (placeholder) {
${[...new Set(endpoints.flatMap(placeholders))].map((name) => `    case '${name}':\n      return ${defaultValue(name)};`).join('\n')}
    default:
      return String(rank + 1);
  }
}

/** TODO: the body of each request that has one. */
function bodyOf(endpoint: string): string | null {
  return /^(POST|PUT|PATCH) /.test(endpoint) ? '{}' : null;
}

export const options = {
  discardResponseBodies: true,
  scenarios: Object.fromEntries(
    Object.entries(workload.flows).map(([exec, { share }]) => [
      exec,
      {
        executor: 'constant-arrival-rate',
        exec,
        rate: Math.max(1, Math.round(RATE * share * 1000)),
        timeUnit: '1000s',
        duration: DURATION,
        preAllocatedVUs: Math.max(2, Math.ceil(${open} * share)),
        maxVUs: Math.max(10, ${open * 4}),
      },
    ]),
  ),
};

${flows
  .map((flow) => {
    const names = flow.steps.map(stepName);
    const lines = flow.steps.map((step, i) => {
      const think = i === 0 ? '' : `  think('${flow.name}', '${names[i - 1]}->${names[i]}');\n`;
      return `${think}  send('${step.replace(/'/g, "\\'")}');`;
    });
    return `/** ${(100 * flow.share).toFixed(1)} % of the sessions. */\nexport function ${flow.name}(): void {\n${lines.join('\n')}\n}`;
  })
  .join('\n\n')}

function send(endpoint: string): void {
  const space = endpoint.indexOf(' ');
  const rank = pick(workload.popularity);
  const path = endpoint
    .slice(space + 1)
    .replace(/\\{([^}]+)\\}/g, (_, name: string) => encodeURIComponent(valueOf(name, rank)))
    .replace(/\\?([^=]+)=$/, '?$1=x');
  const response = http.request(endpoint.slice(0, space), BASE_URL + path, bodyOf(endpoint), {
    tags: { name: endpoint },
    headers: { 'Content-Type': 'application/json', 'X-Session-Id': \`\${exec.scenario.name}-\${exec.scenario.iterationInTest}\` },
  });
  check(response, { 'status is below 400': (r) => r.status > 0 && r.status < 400 });
}

function think(flow: string, step: string): void {
  const law = workload.flows[flow]?.thinkTimes[step];
  if (law !== undefined) sleep(draw(law) * THINK);
}

function draw(law: Law): number {
  switch (law.law) {
    case 'fixed':
      return law.value;
    case 'uniform':
      return law.min + (law.max - law.min) * Math.random();
    case 'exponential':
      return Math.min(law.cap, -law.mean * Math.log(1 - Math.random()));
    case 'lognormal': {
      const z = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
      return Math.min(law.cap ?? Infinity, Math.exp(law.mu + law.sigma * z));
    }
    case 'empirical': {
      const place = Math.random() * (law.quantiles.length - 1);
      const i = Math.floor(place);
      const from = law.quantiles[i] ?? 0;
      return from + ((law.quantiles[i + 1] ?? from) - from) * (place - i);
    }
  }
}

/** 0-based place of an item in popularity order. */
function pick(law: Popularity): number {
  const u = Math.random();
  switch (law.law) {
    case 'single':
      return law.index ?? 0;
    case 'uniform':
      return Math.floor(ITEMS * u);
    case 'power':
      return Math.min(ITEMS - 1, Math.floor(ITEMS * u ** law.g));
    case 'zipf': {
      const q = 1 - law.s;
      const x = Math.abs(q) < 1e-9 ? (ITEMS + 0.5) ** u : (0.5 ** q + u * ((ITEMS + 0.5) ** q - 0.5 ** q)) ** (1 / q);
      return Math.min(ITEMS, Math.max(1, Math.round(x))) - 1;
    }
    case 'empirical': {
      let before: [number, number] = [0, 0];
      for (const point of law.curve) {
        if (u < point[1]) return before[0] + Math.floor(((u - before[1]) / (point[1] - before[1])) * (point[0] - before[0]));
        before = point;
      }
      return ITEMS - 1;
    }
  }
}
`;
}

function placeholders(endpoint: string): string[] {
  return (parseTemplate(endpoint)?.segments ?? []).filter((s) => s.startsWith('{')).map((s) => s.slice(1, -1));
}

/** A value of the shape that made the log's segment a placeholder of this name. */
function defaultValue(name: string): string {
  switch (name) {
    case 'isbn':
      return `'979' + String(rank).padStart(10, '0')`;
    case 'hash':
      return `'0123456789abcdef' + (rank + 0x10000000).toString(16)`;
    case 'date':
      return `'2024-01-' + String(1 + (rank % 28)).padStart(2, '0')`;
    case 'slug':
      return `'item-number-' + rank`;
    case 'name':
      return `'item' + rank`;
    case 'email':
      return `'user' + rank + '@example.com'`;
    default:
      return 'String(rank + 1)';
  }
}
