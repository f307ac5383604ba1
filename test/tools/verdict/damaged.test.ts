/** Files that are not as k6 wrote them: what is readable is read, and what is lost is said. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { openDatabase, pathText, text } from '../../../tools/verdict/database.ts';
import { sniff } from '../../../tools/verdict/files.ts';
import { csvToParquet } from '../../../tools/verdict/samples/convert.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1_795_982_260_413;
const REQUESTS = 300;

/** A minute of requests whose durations all differ, three rows each. */
function lines(seed: number, requests = REQUESTS, startMs = START): string[] {
  const random = sessionRandom(seed, 0);
  return Array.from({ length: requests }, (_, i) => requestRows(startMs + i * 50, 5 + 20 * random())).flatMap((rows) =>
    rows.trimEnd().split('\n'),
  );
}

const csv = (rows: readonly string[]) => `${HEADER}\n${rows.join('\n')}\n`;
const sound = lines(1);

/** Row 301 is the duration of request 100. */
const ROW = 301;

async function read(name: string, content: string | Buffer) {
  const { facts, verdict } = await analyse({ paths: [made(name, content)] });
  const [file] = facts.files;
  return {
    n: facts.requests.n,
    seconds: facts.window.seconds,
    lost: file?.lostRows,
    why: file?.lost.join('; '),
    status: verdict.status,
  };
}

function changed(change: (row: string) => string): string {
  return csv(sound.map((row, i) => (i === ROW ? change(row) : row)));
}

describe('a stray quote', () => {
  it('costs its own line, not all that follow', async () => {
    const stray = await read(
      'stray.csv',
      changed((row) => row.replace('GET,', 'GET,"')),
    );
    expect(stray).toMatchObject({ n: REQUESTS - 1, lost: 1, status: 'SUSPECT' });
    const open = await read(
      'open.csv',
      csv([...sound.slice(0, ROW), 'http_req_duration,1,"5.0,,', ...sound.slice(ROW)]),
    );
    expect(open).toMatchObject({ n: REQUESTS, lost: 1, status: 'SUSPECT' });
  });

  it('does not cost the records that may hold line ends', async () => {
    const odd = requestRows(START + 20_000, 7, { name: 'GET /a\n"b", c' }).trimEnd();
    const found = await read('both.csv', csv([...sound.slice(0, ROW), 'x,"y', odd, ...sound.slice(ROW)]));
    expect(found).toMatchObject({ n: REQUESTS + 1, lost: 1 });
  });

  it('at the end of a file as at its beginning', async () => {
    expect(await read('end.csv', `${csv(sound)}http_reqs,"1795`)).toMatchObject({ n: REQUESTS, lost: 1 });
    expect(await read('first.csv', csv(['"', ...sound]))).toMatchObject({ n: REQUESTS, lost: 1 });
  });
});

describe('a damaged CSV kept as Parquet', () => {
  it('holds what can be read of it', async () => {
    const path = made(
      'stray.csv',
      changed((row) => row.replace('GET,', 'GET,"')),
    );
    const database = await openDatabase();
    const parquet = await csvToParquet(database, await sniff(path));
    database.close();
    expect((await analyse({ paths: [parquet] })).facts.requests.n).toBe(REQUESTS - 1);
  });
});

describe('a path', () => {
  it('is a name, never a pattern', async () => {
    const other = lines(2, 50);
    for (const name of ['r[1].csv', 'a*.csv', 'a?.csv', '[!b].csv', '{a,b}.csv', "it's.csv"]) {
      const path = made(name, csv(sound));
      const { writeFileSync } = await import('node:fs');
      for (const beside of ['r1.csv', 'ab.csv', 'a.csv']) writeFileSync(join(path, '..', beside), csv(other));
      expect((await analyse({ paths: [path] })).facts.requests.n, name).toBe(REQUESTS);
    }
  });
});

describe('a first line that is no header', () => {
  it('of thousands of columns is refused, and so are lines that end in CR alone', async () => {
    await expect(analyse({ paths: [made('commas.csv', `${HEADER}${','.repeat(4000)}\n`)] })).rejects.toThrow(/columns/);
    await expect(analyse({ paths: [made('cr.csv', csv(sound).replaceAll('\n', '\r'))] })).rejects.toThrow(
      /carriage return/,
    );
    await expect(analyse({ paths: [made('blank.csv', csv(sound).replaceAll('\n', ' '))] })).rejects.toThrow(/columns/);
  });

  it('with columns of the same name in other cases is read by the names of k6', async () => {
    const rows = sound.map((row) => `${row},x,y,z`);
    const { facts } = await analyse({ paths: [made('twice.csv', `${HEADER},Name,STATUS,\n${rows.join('\n')}\n`)] });
    expect(facts.endpoints).toEqual([{ name: 'GET /api/books', n: REQUESTS }]);
  });
});

describe('rows that cannot be of this run', () => {
  it('by their time are left out and said', async () => {
    const seconds = (REQUESTS - 1) * 0.05;
    for (const time of [
      '0',
      '-1',
      '179598226041317',
      '4102444800000',
      '17959822604131795',
      '9223372036854775807',
      'x',
    ]) {
      const found = await read(
        'time.csv',
        changed((row) => row.replace(/,\d{13},/, `,${time},`)),
      );
      expect(found, time).toMatchObject({ n: REQUESTS - 1, lost: 1, status: 'SUSPECT' });
      expect(found.seconds, time).toBeCloseTo(seconds, 6);
    }
  });

  it('two runs of two days in one file are two runs', async () => {
    const later = lines(3, REQUESTS, START + 2 * 86_400_000);
    expect(await read('days.csv', csv([...sound, ...later]))).toMatchObject({ n: 2 * REQUESTS, lost: 0 });
  });

  it('by a hole of NULs before them are counted', async () => {
    expect(
      await read(
        'nul.csv',
        changed((row) => '\0'.repeat(4096) + row),
      ),
    ).toMatchObject({ lost: 1, status: 'SUSPECT' });
  });

  it('stand there twice: SUSPECT, while a coarse clock is no repetition', async () => {
    expect(await read('twice.csv', csv([...sound, ...sound]))).toMatchObject({ n: 2 * REQUESTS, status: 'SUSPECT' });
    const coarse = Array.from({ length: REQUESTS }, () => requestRows(START, 5).trimEnd());
    expect(await read('coarse.csv', csv(coarse))).toMatchObject({ status: 'UNPROVEN' });
    expect(await read('once.csv', csv(sound))).toMatchObject({ status: 'UNPROVEN' });
  });
});

describe('gzip', () => {
  const whole = gzipSync(csv(sound));

  it('with a wrong checksum is read and doubted', async () => {
    const bad = Buffer.from(whole);
    bad[bad.length - 6] = (bad[bad.length - 6] ?? 0) ^ 0xff;
    const found = await read('crc.csv.gz', bad);
    expect(found).toMatchObject({ n: REQUESTS, status: 'SUSPECT' });
    expect(found.why).toMatch(/checksum/);
  });

  it('with bytes behind its end loses no row of its own', async () => {
    const found = await read('trail.csv.gz', Buffer.concat([whole, Buffer.from('garbage garbage')]));
    expect(found).toMatchObject({ n: REQUESTS, status: 'SUSPECT' });
    expect(found.why).toMatch(/follow the end/);
  });

  it('of several members is whole; with a damaged line in it, only that line is lost', async () => {
    const text = csv(sound);
    const members = Buffer.concat([gzipSync(text.slice(0, 20_000)), gzipSync(text.slice(20_000))]);
    expect(await read('members.csv.gz', members)).toMatchObject({ n: REQUESTS, lost: 0, status: 'UNPROVEN' });
    const stray = await read('stray.csv.gz', gzipSync(changed((row) => row.replace('GET,', 'GET,"'))));
    expect(stray).toMatchObject({ n: REQUESTS - 1, lost: 1 });
    expect(stray.why).not.toMatch(/gzip/);
  });
});

describe('NDJSON', () => {
  const point = (i: number, more = '') =>
    `{"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-30T08:00:${String(10 + (i % 40))}.${i}Z","value":${5 + i / 7},"tags":{"name":"GET /a","status":"200","expected_response":"true"${more}}}}`;
  const points = Array.from({ length: 100 }, (_, i) => point(i));

  it('lines too long or with raw control bytes are counted', async () => {
    const long = point(100, `,"x":"${'y'.repeat(8_100_000)}"`);
    expect(await read('long.ndjson', `${[...points, long, point(101)].join('\n')}\n`)).toMatchObject({
      n: 101,
      lost: 1,
    });
    const raw = point(100, ',"x":"\u0001"');
    expect(await read('raw.ndjson', `${[...points, raw, point(101)].join('\n')}\n`)).toMatchObject({ n: 101, lost: 1 });
  });

  it('with a cut first line is read from the next', async () => {
    const found = await read('first.ndjson', `${[point(100).slice(40), ...points].join('\n')}\n`);
    expect(found).toMatchObject({ n: 100, lost: 1 });
  });
});

describe('Parquet', () => {
  const instants: Readonly<Record<string, string>> = {
    bigint: '"timestamp"::BIGINT',
    'ms as double': '"timestamp"::DOUBLE',
    'seconds as double': '"timestamp"::DOUBLE / 1000',
    'seconds as decimal': '("timestamp"::DECIMAL(20,3) / 1000)::DECIMAL(20,3)',
    timestamp: 'make_timestamp("timestamp"::BIGINT * 1000)',
    'timestamp with zone': 'to_timestamp("timestamp"::DOUBLE / 1000)',
  };
  for (const [name, sql] of Object.entries(instants)) {
    it(`reads a time as ${name} as the same moment`, async () => {
      const from = made('from.csv', csv(sound));
      const path = join(from, '..', 'made.parquet');
      const database = await openDatabase();
      await database.run(
        `COPY (SELECT * REPLACE (${sql} AS "timestamp") FROM read_csv(${pathText(from)}, header=true, all_varchar=true)) TO ${text(path)} (FORMAT parquet)`,
      );
      database.close();
      const zone = process.env['TZ'];
      process.env['TZ'] = 'America/New_York';
      try {
        const { facts } = await analyse({ paths: [path] });
        expect(facts.window.startMs).toBeCloseTo(START, 0);
        expect(facts.window.seconds).toBeCloseTo((REQUESTS - 1) * 0.05, 2);
      } finally {
        if (zone === undefined) delete process.env['TZ'];
        else process.env['TZ'] = zone;
      }
    });
  }
});
