/** The samples of one virtual user: their tags, and the way to the registry. */
import { Cancellation } from './cancellation.ts';
import { TagCache, type TagNode, walkTags } from './metrics/tag-node.ts';
import type { Metadata, TagSet } from './metrics/types.ts';
import type { RunContext } from './run-context.ts';
import type { GivenTags, GuestSample } from './vm/script-vm.ts';

/** The scenario that a VU works for, as far as its tags follow from it. */
export interface Tagging {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
}

export class VuSamples {
  /** Of what runs now: once it is aborted, nothing is said of it any more, as in k6. */
  cancellation = new Cancellation();
  private readonly run: RunContext;
  private scenario: Tagging | undefined;
  private tags: Readonly<Record<string, string>> = {};
  private cache = new TagCache();
  private metadata: Metadata | undefined;
  /** `vu` and `iter`, and what the script adds. */
  private ofIteration: Metadata | undefined;
  private own: Metadata | undefined;

  constructor(run: RunContext) {
    this.run = run;
  }

  /** From here on samples are those of a scenario. */
  enter(scenario: Tagging): void {
    this.scenario = scenario;
    this.own = undefined;
    this.tags = this.baseTags();
    // VUs of a scenario that set no tags of their own have the same ones.
    this.cache = this.run.tagCaches.get(scenario) ?? new TagCache();
    this.run.tagCaches.set(scenario, this.cache);
  }

  /** From here on samples are those of a stage of the run: setup, teardown, handleSummary. */
  enterStage(): void {
    this.scenario = undefined;
    this.own = undefined;
    this.tags = this.run.runTags;
    this.cache = new TagCache();
    this.ofIteration = this.run.systemTags.has('iter') ? { iter: '0' } : undefined;
    this.metadata = this.ofIteration;
  }

  /** From here on samples are those of an iteration. */
  begin(vu: number, iteration: number): void {
    const { systemTags } = this.run;
    this.ofIteration = metadataOf(systemTags, vu, iteration);
    this.metadata = this.own === undefined ? this.ofIteration : { ...this.ofIteration, ...this.own };
  }

  /** Takes the VU's own metadata, all of it. */
  setMetadata(own: Metadata): void {
    this.own = Object.keys(own).length === 0 ? undefined : own;
    this.metadata = this.own === undefined ? this.ofIteration : { ...this.ofIteration, ...own };
  }

  /** Adds the VU's own tags, all of them. */
  setTags(tags: Readonly<Record<string, string>>): void {
    this.tags = { ...this.baseTags(), ...tags };
    this.cache = new TagCache();
  }

  /** The `name` of the VU's own tags: requests without another have it. */
  get name(): string | undefined {
    return this.tags['name'];
  }

  /** Tags of what is said of the whole iteration or stage. */
  ownTags(group: string): TagSet {
    return this.tagsOf(this.cache.samples(group), group);
  }

  /** Where the tags of a request begin. */
  requestTags(group: string): TagNode {
    return this.cache.requests(group);
  }

  /** The VU's tags with these on top. */
  tagSet(group: string, extra: Readonly<Record<string, string>>): TagSet {
    const own = this.run.systemTags.has('group') ? { group } : {};
    return this.run.registry.tags({ ...this.tags, ...own, ...extra });
  }

  push(metric: number, value: number, tags: TagSet): void {
    if (this.cancellation.aborted) return;
    const { registry, clock } = this.run;
    registry.push(registry.byId(metric), clock.now(), value, tags, this.metadata);
  }

  /** Samples that the script collected. */
  pushAll(batch: readonly GuestSample[]): void {
    for (const [metric, value, tags, group] of batch) {
      const root = this.cache.samples(group);
      const node = tags === 0 ? root : walkTags(root, tags);
      // JSON has no number without end; it comes as text.
      this.pushAt(metric, Number(value), node, group, tags === 0 ? undefined : (tags['check'] ?? ''));
    }
  }

  /** As `HostHandler.sample`. */
  add(metric: number, value: number, tags: GivenTags, group: string, check: string | undefined): string | undefined {
    const { ids } = this.run;
    let node = this.cache.samples(group);
    if (tags !== undefined) {
      for (const key of Object.keys(tags)) {
        const tag = tags[key];
        if (typeof tag === 'string') node = node.next(key, tag);
        else if (typeof tag === 'number' || typeof tag === 'boolean') node = node.next(key, String(tag));
        else return key;
      }
    }
    let name = check;
    if (check !== undefined) node = node.next('check', check);
    else if (metric === ids.checks && tags !== undefined) name = String(tags['check'] ?? '');
    this.pushAt(metric, value, node, group, name);
    return undefined;
  }

  pushBytes({ sent, received }: { readonly sent: number; readonly received: number }, tags: TagSet): void {
    const { ids } = this.run;
    this.push(ids.sent, sent, tags);
    this.push(ids.received, received, tags);
  }

  /** @param check name of the check, where the sample is one of `checks` */
  private pushAt(metric: number, value: number, node: TagNode, group: string, check: string | undefined): void {
    const { run } = this;
    if (metric === run.ids.groups) run.checks.group(group);
    let tags = node.set ?? this.tagsOf(node, group);
    if (metric === run.ids.checks && check !== undefined) {
      run.checks.add(group, check, value !== 0);
      if (!run.systemTags.has('check')) tags = this.unchecked(node, group);
    }
    this.push(metric, value, tags);
  }

  /** Tags of the run and of the scenario. */
  baseTags(): Record<string, string> {
    const { run, scenario } = this;
    const own = run.systemTags.has('scenario') && scenario !== undefined ? { scenario: scenario.name } : {};
    return { ...run.runTags, ...scenario?.tags, ...own };
  }

  private tagsOf(node: TagNode, group: string): TagSet {
    node.set ??= this.tagSet(group, node.record());
    return node.set;
  }

  private unchecked(node: TagNode, group: string): TagSet {
    if (node.unchecked === undefined) {
      const { check: _, ...rest } = node.record();
      node.unchecked = this.tagSet(group, rest);
    }
    return node.unchecked;
  }
}

function metadataOf(systemTags: ReadonlySet<string>, vu: number, iteration: number): Metadata | undefined {
  if (!systemTags.has('vu') && !systemTags.has('iter')) return undefined;
  return {
    ...(systemTags.has('vu') ? { vu: String(vu) } : {}),
    ...(systemTags.has('iter') ? { iter: String(iteration) } : {}),
  };
}
