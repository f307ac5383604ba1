/** Requests that are told in two lines: Fastify's own log, as Fastify writes it. */
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { analyse, readLog } from './helpers.ts';

/** The log of some requests at a time, of which each second one is slow. */
async function fastifyLog(paths: readonly string[], together: number): Promise<string[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString().trimEnd());
      done();
    },
  });
  const app = fastify({ logger: { level: 'info', stream } });
  let n = 0;
  app.get('/books/:id', async (request) => {
    request.log.info('looked up');
    if (n++ % 2 === 0) await setTimeout(5);
    return {};
  });
  app.post('/orders', async (_request, reply) => reply.code(201).send({}));
  app.get('/broken', async () => {
    throw new Error('boom');
  });
  for (let i = 0; i < paths.length; i += together) {
    await Promise.all(
      paths.slice(i, i + together).map((path) => {
        const [method, url] = path.split(' ') as ['GET' | 'POST', string];
        return app.inject({ method, url });
      }),
    );
  }
  await app.close();
  return lines;
}

const PATHS = Array.from({ length: 60 }, (_, i) =>
  i % 10 === 3
    ? 'POST /orders'
    : i % 10 === 6
      ? 'GET /broken'
      : i % 10 === 9
        ? 'GET /gone?a=1'
        : `GET /books/${i}?x=${i}`,
);

describe('two lines a request', () => {
  it('are one record, in the order of the answers', async () => {
    const log = await fastifyLog(PATHS, 4);
    const { records, lines } = readLog(log.join('\n'));
    expect(lines).toMatchObject({ physical: log.length, records: 60, withoutRequest: 0, malformed: 0 });
    const status = (path: string) =>
      path.startsWith('POST') ? 201 : path.includes('broken') ? 500 : path.includes('gone') ? 404 : 200;
    const told = records.map(
      ({ method, path, query, status: code }) => `${method} ${path}${query ? `?${query}` : ''} ${code}`,
    );
    expect(told.sort()).toEqual(PATHS.map((path) => `${path} ${status(path)}`).sort());
    for (const { duration, client, time } of records) {
      expect(duration).toBeGreaterThan(0);
      expect(duration).toBeLessThan(60_000);
      expect(client).toBe('127.0.0.1');
      expect(time).toMatch(/^20/);
    }
  });

  it('are found behind a container runtime too, and by each process for itself', async () => {
    const log = await fastifyLog(PATHS.slice(0, 12), 3);
    const wrapped = log.flatMap((line) => {
      const other = line.replace(/"pid":\d+/, '"pid":7').replaceAll('/books/', '/shelves/');
      return [line, other].map((one) => JSON.stringify({ log: `${one}\n`, stream: 'stdout' }));
    });
    const { records, lines } = readLog(wrapped.join('\n'));
    expect(lines).toMatchObject({ records: 24, withoutRequest: 0 });
    expect(records.filter(({ path }) => path.startsWith('/shelves/'))).toHaveLength(
      records.filter(({ path }) => path.startsWith('/books/')).length,
    );
  });

  it('of which one is missing make no request up', async () => {
    const log = await fastifyLog(PATHS.slice(0, 5), 1);
    const ends = log.filter((line) => line.includes('request completed'));
    expect(readLog(ends.join('\n')).lines).toMatchObject({ records: 0, withoutRequest: 5 });
    const begins = log.filter((line) => line.includes('incoming request'));
    expect(readLog(begins.join('\n')).lines).toMatchObject({ records: 0, other: 5 });
    // The same id in another life of the process: the first request was never answered.
    const again = [begins[0], ...log].join('\n');
    expect(readLog(again).lines).toMatchObject({ records: 5, other: log.length + 1 - 5 });
  });

  it('are said', async () => {
    const log = await fastifyLog(PATHS, 2);
    const model = buildModel(await analyse({ 'app.log': log.join('\n') }), { replicates: 5 });
    expect(model.remarks.join('\n')).toContain('60 records were put together from two lines with the same request id');
    const books = model.endpoints.find(({ name }) => name.startsWith('GET /books/'));
    expect(books).toMatchObject({ requests: 42 });
  });
});
