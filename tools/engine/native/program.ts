/**
 * A script as code of V8 itself, for rehearsals: the script and k6's modules rewritten so that they can wait, compiled once, and
 * run once a VU. VUs share the built-ins of one realm and nothing else, and never hold an object of the engine's own realm.
 */
import { type Context, createContext } from 'node:vm';
import { LOADED_MODULES } from '../vm/guest.ts';
import type { ScriptSource } from '../vm/script-source.ts';
import { NotRewritable, type ParsedModule, parseModule } from './parse.ts';
import { compile, newRealm, type Realm, type ScriptGenerator, type ScriptHost } from './realm.ts';
import { rewriteModule } from './rewrite.ts';
import { analyseSuspending } from './suspending.ts';

export interface ScriptInstance {
  /** The door of guest/boot.js. */
  readonly call: (facts: unknown) => ScriptGenerator;
  /** Runs the script's init code. */
  start(): void;
}

export interface NativeProgram {
  /** Runs k6's modules for a new VU; the script's own only when `start` is called. */
  instantiate(host: ScriptHost): ScriptInstance;
  readonly realm: Realm;
  /** Asked in long loops: whether to end them. */
  isOver: () => boolean;
  /** Set, to the place, when code that cannot wait was to wait: what came of it so far is worthless. */
  failed: string | undefined;
  /** Whether the script has got hold of promises, whose callbacks run when the engine rests. */
  usesPromises: boolean;
  /** Names of the script's own modules, for stack traces. */
  readonly scriptModules: readonly string[];
}

const MAIN = 'k6:main';
/** The module that all VUs have in common. */
const SHARED = 'k6:shared';

type Exports = Readonly<Record<string, unknown>>;

interface CompiledModule {
  readonly name: string;
  readonly isScript: boolean;
  readonly imports: readonly string[];
  readonly run: (globals: unknown, imports: readonly Exports[], helpers: unknown) => ScriptGenerator;
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
  const functions = new Map<string, unknown>();
  const realm = newRealm(context, {
    failed: (stack) => {
      program.failed = stack;
    },
    isOver: () => program.isOver(),
    promises: () => {
      program.usesPromises = true;
    },
    functionOf: (texts) => {
      const known = functions.get(texts);
      if (known !== undefined) return known;
      const params = JSON.parse(texts) as string[];
      const body = params.pop() ?? '';
      const name = `${source.entry}#function${functions.size}`;
      try {
        const module = parseModule(name, `export default function anonymous(${params.join()}) {\n${body}\n}`);
        const rewritten = rewriteModule(
          module,
          analyseSuspending([module], () => undefined, analysis.waiting),
          true,
        );
        const run = compile(context, rewritten, name);
        functions.set(texts, run);
        return run;
      } catch (error) {
        program.failed = `${name}\n\nat ${error instanceof Error ? error.message : String(error)}`;
        return undefined;
      }
    },
  });
  const common = modules
    .filter(({ name }) => name === SHARED)
    .map(({ name, run }) => [name, realm.atOnce(run(undefined, [], realm.helpers)) as Exports] as const);
  const program: NativeProgram = {
    instantiate: (host) => {
      const { globals, door } = realm.globals(host.call, host.sample, host.texts, host.boot);
      const loaded = new Map<string, Exports>(common);
      const runAll = (isScript: boolean) => {
        for (const module of modules) {
          if (module.isScript !== isScript || module.name === SHARED) continue;
          const imports = module.imports.map((name) => loaded.get(name) ?? {});
          loaded.set(module.name, realm.atOnce(module.run(globals, imports, realm.helpers)) as Exports);
        }
      };
      runAll(false);
      return {
        call: door.call,
        start: () => {
          runAll(true);
          const enter = loaded.get('k6:boot')?.['enter'] as (script: Exports | undefined) => void;
          enter(loaded.get(source.entry));
        },
      };
    },
    realm,
    isOver: () => false,
    failed: undefined,
    usesPromises: false,
    scriptModules: modules.filter(({ isScript }) => isScript).map(({ name }) => name),
  };
  return program;
}

function evaluate(context: Context, code: string, filename: string): unknown {
  try {
    return compile(context, code, filename);
  } catch (error) {
    throw new NotRewritable(`${filename}: ${error instanceof Error ? error.message : String(error)}`);
  }
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
  for (const name of ['k6:boot', ...LOADED_MODULES]) read(source.normalise(MAIN, name));
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
