/** What the requests of one virtual user are sent and recorded with. */
import type { Clock } from './clock.ts';
import type { ClientContext } from './http/client.ts';
import type { CookieJar } from './http/cookies.ts';
import type { HttpMetricIds } from './http/record.ts';
import type { Transport } from './http/transport.ts';
import type { Log } from './log.ts';
import type { TagNode } from './metrics/tag-node.ts';
import type { TagSet } from './metrics/types.ts';
import type { RunContext } from './run-context.ts';
import type { VuSamples } from './vu-samples.ts';

/** k6's own: a server shall not answer otherwise. */
const USER_AGENT = 'Grafana k6/2.2.0';
const MOST_REDIRECTS = 10;

/** A class, so that the clients of all VUs are of one kind to V8; a literal with accessors makes each of its own. */
export class VuClient implements ClientContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: Transport;
  readonly jar: CookieJar;
  readonly metricIds: HttpMetricIds;
  private readonly run: RunContext;
  private readonly samples: VuSamples;

  constructor(run: RunContext, samples: VuSamples, transport: Transport, jar: CookieJar) {
    this.clock = run.clock;
    this.log = run.log;
    this.transport = transport;
    this.jar = jar;
    this.metricIds = run.ids.http;
    this.run = run;
    this.samples = samples;
  }

  // Looked up late: the VU that reads the options exists before them.
  get systemTags(): ReadonlySet<string> {
    return this.run.systemTags;
  }

  get userAgent(): string {
    return String(this.run.options['userAgent'] ?? USER_AGENT);
  }

  get maxRedirects(): number {
    const most = this.run.options['maxRedirects'];
    return typeof most === 'number' ? most : MOST_REDIRECTS;
  }

  get limitsRedirects(): boolean {
    return typeof this.run.options['maxRedirects'] === 'number';
  }

  get throwErrors(): boolean {
    return this.run.options['throw'] === true;
  }

  get vuName(): string | undefined {
    return this.samples.name;
  }

  tagSet(group: string, extra: Readonly<Record<string, string>>): TagSet {
    return this.samples.tagSet(group, extra);
  }

  requestTags(group: string): TagNode {
    return this.samples.requestTags(group);
  }

  sample(metric: number, value: number, tags: TagSet): void {
    this.samples.push(metric, value, tags);
  }
}
