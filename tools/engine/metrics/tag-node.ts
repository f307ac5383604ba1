/**
 * Finds the interned tags of a sample by walking from tag to tag, so that the millions of samples after the first of their kind build
 * neither an object nor a text to look up.
 */
import type { TagSet } from './types.ts';

export class TagNode {
  readonly key: string;
  readonly value: string | number;
  /** The tags of this node and of those above it; where `check` is no system tag, without it too. */
  set: TagSet | undefined;
  unchecked: TagSet | undefined;
  private readonly above: TagNode | undefined;
  private last: TagNode | undefined;
  private children: Map<string, Map<string | number, TagNode>> | undefined;

  constructor(key = '', value: string | number = '', above?: TagNode) {
    this.key = key;
    this.value = value;
    this.above = above;
  }

  /** The node of one more tag. Two ways through the same tags in one order meet in the same node. */
  next(key: string, value: string | number): TagNode {
    // Hardly ever does a node go on in more than one way.
    const { last } = this;
    if (last !== undefined && last.key === key && last.value === value) return last;
    return this.find(key, value);
  }

  private find(key: string, value: string | number): TagNode {
    this.children ??= new Map();
    let byValue = this.children.get(key);
    if (byValue === undefined) {
      byValue = new Map();
      this.children.set(key, byValue);
    }
    let node = byValue.get(value);
    if (node === undefined) {
      node = new TagNode(key, value, this);
      byValue.set(value, node);
    }
    this.last = node;
    return node;
  }

  /** All tags below the root, the later of one name winning. */
  record(): Record<string, string> {
    if (this.above === undefined) return {};
    const tags = this.above.record();
    tags[this.key] = String(this.value);
    return tags;
  }
}

/** The tag sets of VUs that set no tags of their own, or of one that does. */
export class TagCache {
  private readonly sampleRoots = new Roots();
  private readonly requestRoots = new Roots();

  /** Where the tags of the script's own samples begin. */
  samples(group: string): TagNode {
    return this.sampleRoots.of(group);
  }

  /** Where the tags of requests begin: those given, then what the answer says. */
  requests(group: string): TagNode {
    return this.requestRoots.of(group);
  }
}

class Roots {
  private readonly byGroup = new Map<string, TagNode>();
  private lastGroup: string | undefined;
  private last = new TagNode();

  of(group: string): TagNode {
    if (group === this.lastGroup) return this.last;
    const root = this.byGroup.get(group) ?? new TagNode();
    this.byGroup.set(group, root);
    this.lastGroup = group;
    this.last = root;
    return root;
  }
}

/** The node after the tags of `record`. */
export function walkTags(node: TagNode, record: Readonly<Record<string, string>>): TagNode {
  let at = node;
  for (const key in record) at = at.next(key, record[key] ?? '');
  return at;
}
