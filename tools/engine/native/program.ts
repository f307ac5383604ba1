/**
 * A script as code of V8 itself, for rehearsals: the script and k6's modules rewritten so that they can wait, compiled once, and
 * run once a VU. VUs share the built-ins of one realm and nothing else, and never hold an object of the engine's own realm.
 */
import { type Context, createContext, Script } from 'node:vm';
import { OFFERED_MODULES } from '../vm/guest.ts';
import type { GuestSample, HostAnswer } from '../vm/vm.ts';
import type { ScriptSource } from '../vm/script-source.ts';
import { NotRewritable, type ParsedModule, parseModule } from './parse.ts';
import { rewriteModule } from './rewrite.ts';
import { analyseSuspending } from './suspending.ts';

/** What a generator of the script yields: an operation that takes time, what it is given, samples collected before. */
export type Waiting = readonly [operation: string, given: unknown, samples: readonly GuestSample[] | undefined];
export type ScriptGenerator = Generator<Waiting, string | undefined, unknown>;

/** The engine's side of one VU. */
export interface ScriptHost {
  call(operation: string, given: unknown, samples: readonly GuestSample[] | undefined): HostAnswer;
  /** What boot.js reads, JSON. */
  readonly boot: string;
}

/** A VU's own globals. */
export interface ScriptGlobals {
  readonly __k6_call: (facts: string) => ScriptGenerator;
}

export interface NativeProgram {
  /** Runs k6's modules for a new VU; the script's own only when `start` is called. */
  instantiate(host: ScriptHost): { readonly globals: ScriptGlobals; start(): void };
  /** Asked in long loops: whether to end them. */
  isOver: () => boolean;
  /** Set, to the place, when code that cannot wait was to wait: what came of it so far is worthless. */
  failed: string | undefined;
  /** A copy of plain data, made of the script's own objects. */
  copy(value: unknown): unknown;
  /** Names of the script's own modules, for stack traces. */
  readonly scriptModules: readonly string[];
}

const MAIN = 'k6:main';

/** Runs inside the realm, so that no object of the engine's own ever gets there. */
const HELPERS = `(function (failed, isOver) {
  'use strict';
  const G = function () {};
  const generators = Object.getPrototypeOf(function* () {});
  G.prototype = generators.prototype;
  // In a function that cannot wait, what might have waited runs through as long as it does not.
  const atOnce = (generator) => {
    const step = generator.next();
    if (step.done) return step.value;
    const error = new Error('a call waits inside a function that cannot');
    failed(error.stack);
    throw error;
  };
  const copy = (value) => {
    if (value === null || typeof value !== 'object') return value;
    const own = Array.isArray(value) ? [] : {};
    for (const key in value) own[key] = copy(value[key]);
    return own;
  };
  return {
    copy,
    module: {
      G,
      no: atOnce,
      realm: globalThis,
      cb: (value) =>
        typeof value === 'function' && Object.getPrototypeOf(value) === generators
          ? function (...args) {
              return atOnce(value.apply(this, args));
            }
          : value,
      tick: () => {
        if (isOver()) throw new Error('the engine ended this call');
        return 1000;
      },
    },
    globals: (call, boot) =>
      Object.assign(Object.create(globalThis), {
        Math: Object.create(Math),
        __host: (operation, given, samples) => call(operation, given, samples),
        __suspend: function* (operation, given, samples) {
          return yield [operation, given, samples];
        },
        __stop: () => {
          throw new Error('the iteration is over');
        },
        __boot: boot,
        __direct: true,
      }),
  };
})`;

interface Helpers {
  readonly module: unknown;
  readonly copy: (value: unknown) => unknown;
  globals(call: ScriptHost['call'], boot: string): ScriptGlobals;
}

type Exports = Readonly<Record<string, unknown>>;

interface CompiledModule {
  readonly name: string;
  readonly isScript: boolean;
  readonly imports: readonly string[];
  readonly run: (globals: ScriptGlobals, imports: readonly Exports[], helpers: unknown) => Generator<unknown, Exports>;
}

/** @throws NotRewritable when the script uses what only the interpreter can run */
export function nativeProgram(source: ScriptSource): NativeProgram {
  const { parsed, requests } = readModules(source);
  const target = (module: ParsedModule, request: string) => parsed.get(source.normalise(module.name, request));
  for (const module of parsed.values()) checkImports(module, target);
  const ordered = [...parsed.values()];
  const analysis = analyseSuspending(ordered, target);
  const context = createContext(Object.create(null) as object, {
    codeGeneration: { strings: false, wasm: false },
  });
  const modules = ordered.map((module): CompiledModule => {
    const isScript = module.name.startsWith('file:');
    const code = rewriteModule(module, analysis, isScript);
    const run = evaluate(context, code, module.name) as CompiledModule['run'];
    return { name: module.name, isScript, imports: requests.get(module.name) ?? [], run };
  });
  const program: NativeProgram = {
    instantiate: (host) => instantiate(host),
    copy: (value) => helpers.copy(value),
    isOver: () => false,
    failed: undefined,
    scriptModules: modules.filter(({ isScript }) => isScript).map(({ name }) => name),
  };
  const helpers = (evaluate(context, HELPERS, 'k6:helpers') as (
    failed: (stack: string) => void,
    isOver: () => boolean,
  ) => Helpers)(
    (stack) => {
      program.failed = stack;
    },
    () => program.isOver(),
  );
  const instantiate: NativeProgram['instantiate'] = (host) => {
    const globals = helpers.globals((...args) => host.call(...args), host.boot);
    const loaded = new Map<string, Exports>();
    const runAll = (isScript: boolean) => {
      for (const module of modules) {
        if (module.isScript !== isScript) continue;
        const imports = module.imports.map((name) => loaded.get(name) ?? {});
        loaded.set(module.name, finished(module.run(globals, imports, helpers.module)));
      }
    };
    runAll(false);
    return {
      globals,
      start: () => {
        runAll(true);
        const enter = loaded.get('k6:boot')?.['enter'] as (script: Exports | undefined) => void;
        enter(loaded.get(source.entry));
      },
    };
  };
  return program;
}

function evaluate(context: Context, code: string, filename: string): unknown {
  try {
    return new Script(code, { filename }).runInContext(context);
  } catch (error) {
    throw new NotRewritable(`${filename}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What runs before the load never waits. */
export function finished<T>(generator: Generator<unknown, T>): T {
  const step = generator.next();
  if (step.done !== true) throw new NotRewritable('the script waits before the load');
  return step.value;
}

/** All modules, each after those that it imports. */
function readModules(source: ScriptSource) {
  const parsed = new Map<string, ParsedModule>();
  const requests = new Map<string, readonly string[]>();
  const open = new Set<string>();
  const read = (name: string): void => {
    if (parsed.has(name)) return;
    if (open.has(name)) throw new NotRewritable(`${name}: imports in a circle`);
    open.add(name);
    const code = source.load(name);
    if (typeof code !== 'string') throw new NotRewritable(code.error.message);
    const module = parseModule(name, code);
    const names = [...new Set(module.imports.map(({ request }) => request))].map((r) => source.normalise(name, r));
    requests.set(name, names);
    for (const other of names) read(other);
    parsed.set(name, module);
  };
  for (const name of ['k6:boot', ...Object.keys(OFFERED_MODULES)]) read(source.normalise(MAIN, name));
  read(source.entry);
  return { parsed, requests };
}

function checkImports(
  module: ParsedModule,
  target: (module: ParsedModule, request: string) => ParsedModule | undefined,
): void {
  for (const { request, imported } of module.imports) {
    const exports = target(module, request)?.exports;
    if (imported === '' || imported === '*' || exports?.has(imported) === true) continue;
    throw new NotRewritable(`${module.name}: no export "${imported}" in ${request}`);
  }
}
