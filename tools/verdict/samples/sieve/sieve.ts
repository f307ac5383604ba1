/**
 * Copies a large CSV without the lines that nothing reads, which is most of it: telling lines apart costs a tenth of taking
 * them into columns. What stays, and every doubt, is left to the database; see `assembly/sieve.ts`.
 */
import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { constantOf, type WasmExports, wasmModule } from '../../../base/wasm/wasm.ts';
import type { RowFilter } from '../source.ts';
import { SIEVE } from './kernel.generated.ts';

const LINE_FEED = 10;

/** A copy with more than this share of a file saves nothing; told after so many bytes. */
const WORTH_SHARE = 0.7;
const TOLD_AFTER_BYTES = 16 << 20;

const instantiate = wasmModule(SIEVE);

/**
 * Copies what stays of a plain CSV with these columns.
 * @returns false when there is no such copy: it would not be worth it, there is no room for it, or lines of this file cannot be
 * told apart by their ends (stray or open quotes, control characters, bytes that are no UTF-8). The file itself is to be read then.
 */
export async function sieveCsv(
  from: string,
  to: string,
  columns: readonly string[],
  filter: Pick<RowFilter, 'without' | 'floored'>,
): Promise<boolean> {
  const first = ['metric_name', 'timestamp', 'metric_value'];
  if (!first.every((name, index) => columns[index] === name)) return false;
  const kernel = instantiate({ env: {} });
  for (const metric of filter.without) add(kernel, metric, false);
  for (const metric of filter.floored) add(kernel, metric, true);
  const source = await open(from);
  try {
    const target = await open(to, 'w');
    try {
      return await copy(kernel, source, target, columns.length - 1);
    } finally {
      await target.close();
    }
  } catch {
    // A full disk, mostly: it may hold the tables, which are smaller.
    return false;
  } finally {
    await source.close();
  }
}

/** Names that the kernel cannot hold stay. */
function add(kernel: WasmExports, metric: string, onlySmall: boolean): void {
  const { addMetric } = kernel as unknown as { addMetric: (length: number, onlySmall: number) => number };
  const name = Buffer.from(metric);
  if (name.length < constantOf(kernel, 'SHORTEST_NAME') || name.length > constantOf(kernel, 'LONGEST_NAME')) return;
  name.copy(Buffer.from(kernel.memory.buffer), addMetric(name.length, Number(onlySmall)));
}

async function copy(kernel: WasmExports, source: FileHandle, target: FileHandle, commas: number): Promise<boolean> {
  const { sieve } = kernel as unknown as { sieve: (bytes: number, commas: number) => number };
  const text = Buffer.from(kernel.memory.buffer, constantOf(kernel, 'TEXT'), constantOf(kernel, 'TEXT_BYTES'));
  const beyond = Buffer.alloc(text.length);
  let [read, kept, waiting] = [0, 0, 0];
  while (true) {
    const { bytesRead } = await source.read(text, waiting, text.length - waiting);
    read += bytesRead;
    const filled = waiting + bytesRead;
    if (bytesRead === 0) {
      // A last line without an end was cut off, or is being written.
      await target.writeFile(text.subarray(0, filled));
      return true;
    }
    const whole = text.subarray(0, filled).lastIndexOf(LINE_FEED) + 1;
    waiting = text.copy(beyond, 0, whole, filled);
    if (waiting === text.length || !isUtf8(text.subarray(0, whole))) return false;
    const stays = sieve(whole, commas);
    kept += stays;
    if (stays < 0 || (read >= TOLD_AFTER_BYTES && kept > WORTH_SHARE * read)) return false;
    await target.writeFile(text.subarray(0, stays));
    beyond.copy(text, 0, 0, waiting);
  }
}
