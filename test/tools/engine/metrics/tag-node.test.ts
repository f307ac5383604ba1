import { describe, expect, it } from 'vitest';
import { TagCache, TagNode, walkTags } from '../../../../tools/engine/metrics/tag-node.ts';

describe('TagNode', () => {
  it('is the same for the same tags in the same order, and no other', () => {
    const root = new TagNode();
    const walks: readonly Readonly<Record<string, string>>[] = [
      {},
      { a: '1' },
      { a: '2' },
      { b: '1' },
      { a: '1', b: '1' },
      { a: '1', b: '2' },
      { a: '', b: '1' },
      { 'a\u0001': '1' },
      { ab: '1' },
    ];
    const nodes = walks.map((tags) => walkTags(root, tags));
    expect(new Set(nodes).size).toBe(walks.length);
    // Backwards, so that the way taken last is hardly ever the next one.
    for (const [i, tags] of [...walks.entries()].reverse()) {
      expect(walkTags(root, tags)).toBe(nodes[i]);
      expect(nodes[i]?.record()).toEqual(tags);
    }
  });

  it('holds the later of two tags of one name, as text', () => {
    const node = new TagNode().next('name', 'first').next('status', 200).next('name', 'second');
    expect(node.record()).toEqual({ name: 'second', status: '200' });
  });
});

describe('TagCache', () => {
  it('keeps groups, and samples and requests, apart', () => {
    const cache = new TagCache();
    const roots = [cache.samples(''), cache.samples('::a'), cache.requests(''), cache.requests('::a')];
    expect(new Set(roots).size).toBe(4);
    expect([cache.samples(''), cache.samples('::a'), cache.requests(''), cache.requests('::a')]).toEqual(roots);
    expect(cache.samples('')).toBe(roots[0]);
  });
});
