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
  private readonly sampleRoots = new Map<string, TagNode>();
  private readonly requestRoots = new Map<string, TagNode>();

  /** Where the tags of the script's own samples begin. */
  samples(group: string): TagNode {
    return rootOf(this.sampleRoots, group);
  }

  /** Where the tags of requests begin: those given, then what the answer says. */
  requests(group: string): TagNode {
    return rootOf(this.requestRoots, group);
  }
}

function rootOf(roots: Map<string, TagNode>, group: string): TagNode {
  let root = roots.get(group);
  if (root === undefined) {
    root = new TagNode();
    roots.set(group, root);
  }
  return root;
}

/** The node after the tags of `record`. */
export function walkTags(node: TagNode, record: Readonly<Record<string, string>>): TagNode {
  let at = node;
  for (const key in record) at = at.next(key, record[key] ?? '');
  return at;
}
