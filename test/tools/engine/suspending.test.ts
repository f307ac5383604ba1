/** Which functions become generators: a call of one costs several times that of a plain function. */
import { describe, expect, it } from 'vitest';
import { parseModule } from '../../../tools/engine/native/parse.ts';
import { analyseSuspending } from '../../../tools/engine/native/suspending.ts';
import { INTERNAL_MODULES, OFFERED_MODULES } from '../../../tools/engine/vm/guest.ts';

/** Names of the functions of a script that are taken for such that may wait. */
function waitingIn(code: string): string[] {
  const module = parseModule('file:///script.js', code);
  analyseSuspending([module], () => undefined);
  return [...module.functions.values()].flatMap(({ node, suspends }) => (suspends && node.id ? [node.id.name] : []));
}

describe('a function that calls', () => {
  it.each([
    [
      'what a function of the program made that never waits',
      'const make = () => () => 1; const made = make(); function f() { made(); }',
    ],
    ['what is taken from an object of the language', 'const { imul } = Math; function f() { imul(2, 3); }'],
    [
      'what it takes from its parameter, where all that the program stores there never waits',
      'export const o = { draw: () => 1 }; function f({ draw }) { draw(); }',
    ],
    ['a part of what was read from JSON', 'const o = { part: JSON.parse("{}") }; function f() { o.part(); }'],
  ])('%s does not wait', (_, code) => {
    expect(waitingIn(code)).toEqual([]);
  });

  const wait = 'const wait = () => globalThis.__suspend("sleep", 1);';
  it.each([
    [
      'what a function of the program made that waits',
      'const make = (a) => { if (a) return () => 1; return () => wait(); }; const made = make(); function f() { made(); }',
    ],
    ['what a function made that is not known', 'const made = globalThis.make(); function f() { made(); }'],
    [
      'what it takes from its parameter, where something that waits is stored',
      'export const o = { draw: () => 1 }, p = { draw: wait }; function f({ draw }) { draw(); }',
    ],
    ['what it takes from its parameter, where nothing is known of it', 'function f({ draw: other }) { other(); }'],
    ['what it is given', 'function f(draw) { draw(); }'],
  ])('%s may wait', (_, code) => {
    expect(waitingIn(`${wait}${code}`)).toContain('f');
  });
});

it('adds to metrics without generators, whatever a script calls its own functions', () => {
  const script = parseModule(
    'file:///script.js',
    'export const own = { sample: globalThis.made(), get: globalThis.made() };',
  );
  const modules = ['k6:shared', 'k6:core', 'k6/metrics'].map((name) =>
    parseModule(name, { ...INTERNAL_MODULES, ...OFFERED_MODULES }[name] ?? ''),
  );
  analyseSuspending([...modules, script], (_, request) => modules.find(({ name }) => name === request));
  expect(
    modules.flatMap(({ functions }) => [...functions.values()].filter((one) => one.suspends && !one.pinned)),
  ).toEqual([]);
});
