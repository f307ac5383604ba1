/** What the embedded engine has of k6's modules, asked of the engine itself by a script. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEmbedded } from '../../engine/run.ts';

export type Carried = 'runs' | 'refused';
/** By `module.export` and `module.export.member`; what is missing there, the engine does not know at all. */
export type Offered = Readonly<Record<string, Carried>>;

/** Objects whose members are looked for, by the name of their declaration. */
const SAMPLES = `{
  'k6/http': { CookieJar: new http.CookieJar(), Response: http.get('http://127.0.0.1:1/'), FileData: http.file('x') },
  'k6/html': { Selection: page, Element: page.find('p').get(0) },
  'k6/crypto': { Hasher: crypto.createHash('md5') },
  'k6/metrics': { Metric: counter, Counter: counter, Gauge: gauge, Rate: rate, Trend: trend },
  'k6/execution': exec,
}`;

const script = (modules: readonly string[]) => `
${modules.map((name, i) => `import * as m${i} from '${name}';`).join('\n')}
import crypto from 'k6/crypto';
import exec from 'k6/execution';
import { parseHTML } from 'k6/html';
import http from 'k6/http';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const [counter, gauge, rate, trend] = [new Counter('one'), new Gauge('two'), new Rate('three'), new Trend('four')];
export default function () {
  const page = parseHTML('<p>x</p>');
  const samples = ${SAMPLES};
  const modules = [${modules.map((_, i) => `m${i}`).join(', ')}];
  const found = {};
  const carried = (value) => (typeof value === 'function' && value.refused !== undefined ? 'refused' : 'runs');
  ${JSON.stringify(modules)}.forEach((name, i) => {
    for (const key of Object.keys(modules[i])) found[name + '.' + key] = carried(modules[i][key]);
    for (const [kind, sample] of Object.entries(samples[name] || {})) {
      found[name + '.' + kind] = 'runs';
      for (let at = sample; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
        for (const key of Object.getOwnPropertyNames(at)) found[name + '.' + kind + '.' + key] = 'runs';
      }
    }
  });
  console.log(JSON.stringify(found));
}`;

/** @param modules those that scripts can import */
export async function offeredNames(modules: readonly string[]): Promise<Offered> {
  const folder = mkdtempSync(join(tmpdir(), 'offered-'));
  try {
    const file = join(folder, 'names.js');
    writeFileSync(file, script(modules));
    let log = '';
    const stderr = (text: string) => {
      log += text;
    };
    await runEmbedded({ script: file, env: {}, stdout: () => undefined, stderr });
    const line = /level=info msg=(".*") source=console/.exec(log)?.[1];
    if (line === undefined) throw new Error(`the engine did not say what it has: ${log}`);
    return JSON.parse(JSON.parse(line) as string) as Offered;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
