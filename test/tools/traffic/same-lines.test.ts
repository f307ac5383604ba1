/** Lines that are given twice: one file under several names, copies, exports that overlap. */
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BOOKSTORE_CATALOGUE } from '../../../tools/commands/traffic/bookstore-catalogue.ts';
import { expandNames } from '../../../tools/traffic/input/sources.ts';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { analyse } from './helpers.ts';
import { addressOf, jsonLog, type MadeRequest, madeRequests } from './made-sessions.ts';

const folder = mkdtempSync(join(tmpdir(), 'traffic-same-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REQUESTS = madeRequests(15, 'twice');
const byId = ({ session }: MadeRequest) => ({ id: `s${session}`, address: addressOf(session) });
const LOG = jsonLog(REQUESTS, byId);
const remarksOf = async (files: Readonly<Record<string, string>>): Promise<string> =>
  buildModel(await analyse(files), { replicates: 2, knownCatalogue: BOOKSTORE_CATALOGUE }).remarks.join('\n');

describe('a file under several names', () => {
  it('is read once, whatever leads to it', async () => {
    const file = join(folder, 'a.log');
    writeFileSync(file, LOG);
    symlinkSync(file, join(folder, 'soft.log'));
    linkSync(file, join(folder, 'hard.log'));
    const names = [relative('.', file), file, `${folder}/./a.log`, `${folder}/*.log`];
    const { files, remarks } = await expandNames(names);
    expect(files).toEqual([relative('.', file)]);
    expect(remarks).toHaveLength(4);
    expect(remarks.join()).toContain(`soft.log is the same file as ${relative('.', file)} and was read once`);
  });
});

describe('lines given twice', { timeout: 120_000 }, () => {
  it('by a copy or a longer export of the same hours are told by the ends of the files', async () => {
    expect(await remarksOf({ 'a.log': LOG, 'b.log': LOG })).toMatch(/b\.log looks like a copy of .*a\.log/);
    const half = `${LOG.slice(0, LOG.indexOf('\n', LOG.length / 2))}\n`;
    expect(await remarksOf({ 'a.log': LOG, 'b.log': half })).toMatch(/b\.log begins with the same lines as .*a\.log/);
    expect(await remarksOf({ 'a.log': LOG })).not.toMatch(/twice/);
  });

  it('by exports that overlap in the middle are told by the requests themselves, and give no negative think time', async () => {
    const lines = LOG.split('\n').slice(0, -1);
    const part = (from: number, to: number): string =>
      `${lines.slice(Math.floor(from * lines.length), Math.floor(to * lines.length)).join('\n')}\n`;
    const model = buildModel(await analyse({ 'a.log': part(0, 0.8), 'b.log': part(0.2, 1) }), { replicates: 2 });
    expect(model.remarks.join()).toMatch(/\d+ of \d+ requests equal the one before of the same client in time/);
    for (const { fit } of model.thinkTimes) expect(fit?.mean ?? 0).toBeGreaterThanOrEqual(0);
    // Nodes behind a balancer share hours, not lines.
    const even = lines.filter((_, i) => i % 2 === 0).join('\n');
    const odd = lines.filter((_, i) => i % 2 === 1).join('\n');
    expect(await remarksOf({ 'a.log': `${even}\n`, 'b.log': `${odd}\n` })).not.toMatch(/twice/);
  });
});

describe('provenance', { timeout: 120_000 }, () => {
  it('gives the requests used out of all, and their time', async () => {
    const [first, last] = [REQUESTS[0], REQUESTS.at(-1)] as [MadeRequest, MadeRequest];
    const noise = Array.from({ length: 100 }, (_, i) => ({
      ...last,
      at: last.at + 60_000 + i,
      path: '/healthz',
      query: '',
    }));
    const log = jsonLog([...REQUESTS, ...noise], byId);
    const { provenance } = toWorkload(buildModel(await analyse({ 'a.log': log }), { replicates: 2 }), { peak: false });
    const iso = (ms: number): string => new Date(ms).toISOString();
    expect(provenance.source).toBe(
      `access log: ${REQUESTS.length} of ${REQUESTS.length + 100} requests from ${iso(first.at)} to ${iso(last.at)}`,
    );
  });
});
