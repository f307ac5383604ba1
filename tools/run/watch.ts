/**
 * Watches the CPU and memory of the load generator while it runs: a saturated generator sends late, and its delay then
 * looks like latency. Reads /proc on Linux, asks `ps` elsewhere.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { GeneratorSeries } from '../results/manifest.ts';

/** Length of a clock tick in /proc/<pid>/stat, s: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_SECONDS = 0.01;

/** Used so far by a process and its children. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

export interface Watch {
  /** Grows while the watch goes on. */
  readonly series: GeneratorSeries;
  readonly stop: () => void;
}

/**
 * Starts to watch; the timer keeps no process alive.
 * @param intervalMs time between two samples, ms
 * @param onSample called after each sample
 */
export function watchProcess(pid: number, intervalMs: number, onSample: () => void = () => undefined): Watch {
  const source = process.platform === 'linux' ? 'proc' : process.platform === 'win32' ? null : 'ps';
  const series: GeneratorSeries = { intervalMs, source, timeMs: [], cpuCores: [], rssBytes: [], machineCores: [] };
  if (source === null) return { series, stop: () => undefined };
  const read = source === 'proc' ? async () => usageFromProc(pid) : () => usageFromPs(pid);
  let before: { readonly usage: Usage; readonly machine: number; readonly at: bigint } | undefined;
  const sample = async (): Promise<void> => {
    const usage = await read();
    // A process that has just ended has a number but no memory any more.
    if (usage === undefined || usage.rssBytes === 0) return;
    const now = { usage, machine: machineBusySeconds(), at: process.hrtime.bigint() };
    if (before !== undefined) {
      const seconds = Number(now.at - before.at) / 1e9;
      series.timeMs.push(Date.now());
      series.cpuCores.push(round(Math.max(0, usage.cpuSeconds - before.usage.cpuSeconds) / seconds));
      series.rssBytes.push(usage.rssBytes);
      series.machineCores.push(round(Math.max(0, now.machine - before.machine) / seconds));
    }
    before = now;
    if (series.timeMs.length > 0) onSample();
  };
  void sample();
  const timer = setInterval(() => void sample(), intervalMs).unref();
  return { series, stop: () => clearInterval(timer) };
}

function round(cores: number): number {
  return Math.round(cores * 1000) / 1000;
}

/** Seconds that all cores together were not idle since the machine started. */
function machineBusySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

/** Usage of a process and its descendants (K6_BIN may be a script that starts k6); undefined when it is gone. */
export function usageFromProc(pid: number): Usage | undefined {
  let cpuSeconds = 0;
  let rssBytes = 0;
  let found = false;
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    try {
      const usage = parseProcStat(readFileSync(`/proc/${next}/stat`, 'utf8'));
      found = true;
      cpuSeconds += usage.cpuSeconds;
      rssBytes += parseRss(readFileSync(`/proc/${next}/status`, 'utf8'));
      for (const task of readdirSync(`/proc/${next}/task`)) {
        const children = readFileSync(`/proc/${next}/task/${task}/children`, 'utf8').trim();
        if (children !== '') queue.push(...children.split(' ').map(Number));
      }
    } catch {
      // Ended between two reads, or a kernel without the children file.
    }
  }
  return found ? { cpuSeconds, rssBytes } : undefined;
}

/** User and system time in /proc/<pid>/stat, children waited for included. The name in brackets may hold spaces and `)`. */
export function parseProcStat(text: string): { readonly cpuSeconds: number } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17 of proc(5); the slice begins with field 3.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { cpuSeconds: ticks * TICK_SECONDS };
}

function parseRss(status: string): number {
  return Number(/^VmRSS:\s+([0-9]+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

function usageFromPs(pid: number): Promise<Usage | undefined> {
  return new Promise((done) => {
    execFile('ps', ['-o', 'time=,rss=', '-p', String(pid)], (error, stdout) =>
      done(error === null ? parsePs(stdout) : undefined),
    );
  });
}

/** `[[days-]hours:]minutes:seconds[.hundredths] kilobytes`, as ps prints it. */
export function parsePs(text: string): Usage | undefined {
  const match = /^\s*(?:(?:([0-9]+)-)?([0-9]+):)?([0-9]+):([0-9]+(?:\.[0-9]+)?)\s+([0-9]+)\s*$/.exec(text);
  if (match === null) return undefined;
  const [days, hours, minutes, seconds, kilobytes] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { cpuSeconds: days * 86_400 + hours * 3_600 + minutes * 60 + seconds, rssBytes: kilobytes * 1024 };
}
