/**
 * A k6 scenario for the endpoints found in a log of any API: runs as it stands and gives the log's mix back; the user fills in
 * real ids and bodies at the marked places.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workload } from '../../../lib/workload.ts';
import { writeOutput } from '../../output-file.ts';
import { packageRoot } from '../../package.ts';
import { UserError } from '../../user-error.ts';
import { stepName } from '../model/flow-shapes.ts';
import type { FlowShare } from '../model/flows-model.ts';
import type { TrafficModel } from '../model/model.ts';
import { parseTemplate } from '../templates/route-table.ts';
import declarations from './sampling.d.ts?raw';

/** Made by the build, from `lib/sampling.ts`. */
const SAMPLING = 'dist/lib/sampling.js';

/**
 * Writes `scenario.ts`, the `workload.json` that it reads and the `sampling.js` that it draws with into the folder.
 * @throws UserError when the suite has not been built
 */
export function writeSkeleton(model: TrafficModel, folder: string, workload: Workload): void {
  const sampling = join(packageRoot(), SAMPLING);
  if (!existsSync(sampling)) throw new UserError(`${SAMPLING} is missing, which a skeleton needs: run npm run build`);
  writeOutput(join(folder, 'workload.json'), `${JSON.stringify(workload, null, 2)}\n`);
  writeOutput(join(folder, 'sampling.js'), readFileSync(sampling, 'utf8'));
  writeOutput(join(folder, 'sampling.d.ts'), declarations);
  writeOutput(join(folder, 'scenario.ts'), skeleton(model));
}

function skeleton(model: TrafficModel): string {
  const { flows } = model.flows;
  const endpoints = [...new Set(flows.flatMap((flow) => flow.steps))];
  const catalogue = 'refused' in model.popularity ? 1000 : model.popularity.catalogue;
  return `/**
 * Generated from an access log by \`bookstore-load traffic --skeleton\`. It runs as it stands:
 *
 *   k6 run -e BASE_URL=http://127.0.0.1:8080 scenario.ts
 *
 * -e RATE=20 (sessions/s), DURATION=3m, THINK=0.5 (factor of the think times), SEED=text change what the log said.
 * Fill in what a log cannot tell: real ids in \`valueOf\`, request bodies in \`bodyOf\`, checks of the answers.
 */
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import type { Options } from 'k6/options';
import {
  arrivalOptions,
  drawThinkTime,
  durationSeconds,
  hashSeed,
  popularitySampler,
  type PopularityLaw,
  sessionRandom,
  shiftSeconds,
  type ThinkTimeLaw,
} from './sampling.js';

interface Workload {
  arrivals: { rate: number; process: 'poisson' | 'metronome' };
  flows: Record<string, { share: number; thinkTimes: Record<string, ThinkTimeLaw> }>;
  popularity: PopularityLaw;
  latency: { degradedMs: number };
}

const workload: Workload = JSON.parse(open('./workload.json'));
const BASE_URL = __ENV.BASE_URL ?? 'http://127.0.0.1:8080';
const RATE = numberOf('RATE', workload.arrivals.rate);
const SECONDS = durationSeconds(__ENV.DURATION ?? '1m');
const THINK = numberOf('THINK', 1);
const SEED = __ENV.SEED ?? '1';
/** Items that exist. */
const ITEMS = ${catalogue};

function numberOf(name: 'RATE' | 'THINK', fallback: number): number {
  const found = Number(__ENV[name] ?? fallback);
  if (found > 0 || (name === 'THINK' && found === 0)) return found;
  throw new Error(\`\${name}=\${__ENV[name]} is not valid: give a number above 0\`);
}

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

/** How many requests a session of each flow sends, and where it thinks. */
const SESSIONS: Record<string, { requests: number; thinks: string[] }> = {
${flows.map((flow) => `  ${flow.name}: { requests: ${flow.steps.length}, thinks: ${JSON.stringify(thinks(flow)).replaceAll('"', "'").replaceAll(',', ', ')} },`).join('\n')}
};

export const options: Options = {
  discardResponseBodies: true,
  // Only VU 0 is asked for options.
  scenarios: __VU === 0 ? scenarios() : {},
  thresholds: {
    // A dropped session is the test's own fault: it sent less than it claims.
    dropped_iterations: ['count==0'],
    checks: ['rate>0.99'],
  },
};

function loadOf(flow: string) {
  return { rate: RATE * workload.flows[flow]!.share, seconds: SECONDS, process: workload.arrivals.process };
}

function scenarios(): NonNullable<Options['scenarios']> {
  const flows = Object.entries(SESSIONS).map(([flow, { requests, thinks }]) => {
    const { thinkTimes } = workload.flows[flow]!;
    const arrivals = arrivalOptions({
      ...loadOf(flow),
      seed: \`\${SEED}/\${flow}/arrivals\`,
      requests,
      thinkTimes: thinks.flatMap((step) => thinkTimes[step] ?? []),
      think: THINK,
      latencySeconds: workload.latency.degradedMs / 1000,
    });
    return [flow, { ...arrivals, exec: flow }];
  });
  return Object.fromEntries(flows);
}

${flows.map(flowFunction).join('\n\n')}

/** Random numbers of the session that this VU runs. */
let random = Math.random;
const pick = popularitySampler(workload.popularity, ITEMS);

function begin(flow: string): void {
  random = sessionRandom(hashSeed(\`\${SEED}/\${flow}\`), exec.scenario.iterationInTest);
  sleep(random() * shiftSeconds(loadOf(flow)));
}

function send(endpoint: string): void {
  const space = endpoint.indexOf(' ');
  const rank = pick(random);
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
  if (law !== undefined) sleep(drawThinkTime(law, random) * THINK);
}
`;
}

/** Its think steps `from->to` in order. */
function thinks({ steps }: FlowShare): string[] {
  const names = steps.map(stepName);
  return names.slice(1).map((to, i) => `${names[i] as string}->${to}`);
}

function flowFunction(flow: FlowShare): string {
  const between = thinks(flow);
  const lines = flow.steps.map((step, i) => {
    const before = i === 0 ? `  begin('${flow.name}');\n` : `  think('${flow.name}', '${between[i - 1] as string}');\n`;
    return `${before}  send('${step.replace(/'/g, "\\'")}');`;
  });
  return `/** ${(100 * flow.share).toFixed(1)} % of the sessions. */\nexport function ${flow.name}(): void {\n${lines.join('\n')}\n}`;
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
