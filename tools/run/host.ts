/** Facts of the machine that generates the load, and of where the target runs: every report must name them. */
import { lookup } from 'node:dns/promises';
import * as os from 'node:os';
import type { HostFacts, TargetFacts } from '../results/manifest.ts';
import { groupLimits } from './cgroup.ts';
import { maskUrl } from './secrets.ts';

export function hostFacts(): HostFacts {
  const { cpuCores, memoryBytes } = groupLimits();
  return {
    hostname: os.hostname(),
    cpuModel: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.cpus().length,
    memoryBytes: os.totalmem(),
    os: `${os.type()} ${os.release()}`,
    architecture: os.arch(),
    node: process.version,
    cpuLimitCores: cpuCores,
    memoryLimitBytes: memoryBytes,
  };
}

/** Where a target runs and whether it speaks TLS; null for what is no URL. Asks the resolver once. */
export async function targetFacts(url: string): Promise<TargetFacts | null> {
  if (!URL.canParse(url)) return null;
  const { hostname, host, protocol } = new URL(url);
  return {
    url: maskUrl(url),
    host,
    sameHost: await isSameHost(hostname.replace(/^\[|\]$/g, '')),
    tls: protocol === 'https:',
  };
}

async function isSameHost(hostname: string): Promise<boolean | null> {
  const own = Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  try {
    const addresses = await lookup(hostname, { all: true });
    return addresses.some(({ address }) => isLoopback(address) || own.includes(address));
  } catch {
    return null;
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address) || address === '0.0.0.0' || address === '::';
}
