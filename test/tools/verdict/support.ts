/** Fixtures of the analysis tests: recorded k6 outputs, unpacked on demand, and files made on the spot. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, '../../fixtures/k6-outputs');

/** Path of a recorded k6 output (see MANIFEST.md there). */
export function fixture(name: string): string {
  return join(FOLDER, name);
}

/** Path of a recording of a foreign run with what k6 printed (see README.md there). */
export function consoleFixture(name: string): string {
  return join(FOLDER, '../k6-console', name);
}

/** Text of a recorded output, decompressed. */
export function fixtureText(name: string): string {
  const bytes = readFileSync(fixture(name));
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Writes a file for one test and gives its path. */
export function made(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'analysis-test-'));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Makes a results folder for one test and gives its path. */
export function madeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'analysis-test-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export const HEADER =
  'metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata';

/** One request as k6 writes it: rows of http_reqs, http_req_duration and http_req_failed. */
export function requestRows(
  ms: number,
  duration: number,
  options: { name?: string; status?: number; extra?: string; scenario?: string; errorCode?: number } = {},
): string {
  const {
    name = 'GET /api/books',
    status = 200,
    extra = '',
    scenario = 'browse',
    errorCode = status >= 400 ? 1000 + status : 0,
  } = options;
  const expected = status >= 200 && status < 400;
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const tail = `,,,${errorCode || ''},${expected},,GET,${quote(name)},HTTP/1.1,${scenario},,${status},,,${quote(name)},${quote(extra)},`;
  return ['http_reqs,1', 'http_req_duration,x', `http_req_failed,${expected ? 0 : 1}`]
    .map((row) => {
      const [metric = '', value = ''] = row.split(',');
      return `${metric},${ms},${(value === 'x' ? duration : Number(value)).toFixed(6)}${tail}\n`;
    })
    .join('');
}
