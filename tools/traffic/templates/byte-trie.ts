/** The templates' trie walked over bytes: finds the endpoint of a path without making a string of it. */

import { hasText } from '../readers/bytes.ts';
import { hash1 } from '../readers/hashes.ts';
import type { Span } from '../readers/raw-record.ts';

export interface ByteNode<End> {
  /** Children by the hash of their segment; equal hashes are told apart by comparing bytes. */
  readonly literals: Map<number, { readonly text: string; readonly node: ByteNode<End> }[]>;
  any: ByteNode<End> | undefined;
  readonly ends: Map<string, End>;
}

export function byteNode<End>(): ByteNode<End> {
  return { literals: new Map(), any: undefined, ends: new Map() };
}

/** The child for a literal segment, made when missing. */
export function literalChild<End>(node: ByteNode<End>, segment: string): ByteNode<End> {
  const bytes = Buffer.from(segment, 'latin1');
  const key = hash1(bytes, { start: 0, end: bytes.length });
  const list = node.literals.get(key) ?? [];
  node.literals.set(key, list);
  let child = list.find((one) => one.text === segment);
  if (child === undefined) {
    child = { text: segment, node: byteNode() };
    list.push(child);
  }
  return child.node;
}

/** Walks paths; made once, keeps the places of segments of the latest path. */
export function byteWalker<End>(root: ByteNode<End>): {
  walk(method: string, buf: Uint8Array, path: Span): End | undefined;
} {
  const starts = new Int32Array(64);
  const ends = new Int32Array(64);
  const span: Span = { start: 0, end: 0 };
  let n = 0;

  function down(node: ByteNode<End>, i: number, method: string, buf: Uint8Array): End | undefined {
    if (i === n) return node.ends.get(method);
    if (node.literals.size > 0) {
      span.start = starts[i] as number;
      span.end = ends[i] as number;
      const list = node.literals.get(hash1(buf, span));
      if (list !== undefined) {
        for (const { text, node: child } of list) {
          const from = starts[i] as number;
          const to = ends[i] as number;
          if (to - from !== text.length || !hasText(buf, from, to, text)) continue;
          const found = down(child, i + 1, method, buf);
          if (found !== undefined) return found;
        }
      }
    }
    return node.any === undefined ? undefined : down(node.any, i + 1, method, buf);
  }

  return {
    walk(method, buf, path) {
      n = 0;
      let from = path.start;
      for (let i = path.start; i <= path.end; i++) {
        if (i !== path.end && buf[i] !== 47) continue;
        if (i > from) {
          if (n === 64) return undefined;
          starts[n] = from;
          ends[n++] = i;
        }
        from = i + 1;
      }
      return down(root, 0, method, buf);
    },
  };
}
