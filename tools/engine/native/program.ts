/**
 * A script as code of V8 itself, for rehearsals: the script and k6's modules rewritten so that they can wait, compiled once, and
 * run once a VU. VUs share the built-ins of one realm and nothing else, and never hold an object of the engine's own realm.
 */
import { createContext, Script } from 'node:vm';
import { EngineError } from '../engine-error.ts';
import { LOADED_MODULES } from '../vm/guest.ts';
import type { ScriptSource } from '../vm/script-source.ts';
import { requestsOf } from './links.ts';
import { NotRewritable, type ParsedModule, parseModule } from './parse.ts';
import { type EventLoop, newRealm, type Realm, type ScriptGenerator, type ScriptHost } from './realm.ts';
import { rewriteModule } from './rewrite.ts';
import { analyseSuspending } from './suspending.ts';

export interface ScriptInstance {
  readonly realm: Realm;
  readonly loop: EventLoop;
  /** The door of guest/boot.js. */
  readonly call: (facts: unknown) => ScriptGenerator;
  /** Runs the script's init code. */
  start(): void;
}

export interface NativeProgram {
  /** Runs k6's modules for a new VU; the script's own only when `start` is called. */
  instantiate(host: ScriptHost): ScriptInstance;
  /** Asked in long loops: whether to end them. */
  isOver: () => boolean;
  /** Set, to the place, when code that cannot wait was to wait: what came of it so far is worthless. */
  failed: string | undefined;
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
  /** `await` at the top level. */
  readonly awaits: boolean;
  readonly run: (globals: unknown, imports: readonly Exports[], helpers: unknown) => ScriptGenerator;
}

/** What VUs in one realm have in common. */
interface Prepared {
  readonly realm: Realm;
  readonly modules: readonly CompiledModule[];
  readonly common: readonly (readonly [name: string, exports: Exports])[];
}

/** @throws NotRewritable when the script uses what this engine does not run */
export function nativeProgram(source: ScriptSource): NativeProgram {
  const { parsed, requests } = readModules(source);
  const target = (module: ParsedModule, request: string) => parsed.get(source.normalise(module.name, request));
  for (const module of parsed.values()) checkImports(module, target);
  const ordered = [...parsed.values()];
  const analysis = analyseSuspending(ordered, target);
  let changesBuiltins = false;
  const written = ordered.map((module) => {
    const isScript = module.name.startsWith('file:');
    const rewritten = rewriteModule(module, analysis, isScript);
    if (isScript && rewritten.changesBuiltins) changesBuiltins = true;
    const names = requests.get(module.name) ?? [];
    return {
      name: module.name,
      isScript,
      imports: names,
      awaits: module.awaits,
      script: scriptOf(rewritten.code, module.name),
    };
  });
  const functions = new Map<string, Script>();
  const functionOf = (texts: string): Script | undefined => {
    const known = functions.get(texts);
    if (known !== undefined) return known;
    const params = JSON.parse(texts) as string[];
    const body = params.pop() ?? '';
    const name = `${source.entry}#function${functions.size}`;
    try {
      const module = parseModule(name, `export default function anonymous(${params.join()}) {\n${body}\n}`);
      const { code } = rewriteModule(
        module,
        analyseSuspending([module], () => undefined, analysis.waiting),
        true,
      );
      const made = scriptOf(code, name);
      functions.set(texts, made);
      return made;
    } catch (error) {
      // As a place, which is all that is known of it.
      program.failed = `\n\n(${error instanceof Error ? error.message : String(error)})`;
      return undefined;
    }
  };
  const prepare = (): Prepared => {
    const context = createContext(Object.create(null) as object, { codeGeneration: { strings: false, wasm: false } });
    const realm = newRealm(context, {
      failed: (stack) => {
        program.failed = stack;
      },
      isOver: () => program.isOver(),
      functionOf: (texts) => functionOf(texts)?.runInContext(context) as unknown,
    });
    const modules = written.map(
      ({ script, ...module }): CompiledModule => ({
        ...module,
        run: script.runInContext(context) as CompiledModule['run'],
      }),
    );
    const common = modules
      .filter(({ name }) => name === SHARED)
      .map(({ name, run }) => [name, realm.atOnce(run(undefined, [], realm.helpers)) as Exports] as const);
    return { realm, modules, common };
  };
  // VUs share a realm, in which V8 meets the code of one as it meets that of the others, unless one could change it for them.
  let shared: Prepared | undefined;
  const program: NativeProgram = {
    instantiate: (host) => {
      if (!changesBuiltins) shared ??= prepare();
      const { realm, modules, common } = shared ?? prepare();
      const { globals, door } = realm.globals(host.call, host.sample, host.texts, host.background, host.boot);
      const loop = realm.newLoop();
      realm.enter(loop);
      const loaded = new Map<string, Exports>(common);
      const runAll = (isScript: boolean) => {
        for (const module of modules) {
          if (module.isScript !== isScript || module.name === SHARED) continue;
          const imports = module.imports.map((name) => loaded.get(name) ?? {});
          const running = module.run(globals, imports, realm.helpers);
          loaded.set(module.name, (module.awaits ? realm.awaited(loop, running) : realm.atOnce(running)) as Exports);
        }
      };
      runAll(false);
      return {
        realm,
        loop,
        call: door.call,
        start: () => {
          runAll(true);
          const enter = loaded.get('k6:boot')?.['enter'] as (script: Exports | undefined) => void;
          enter(loaded.get(source.entry));
        },
      };
    },
    isOver: () => false,
    failed: undefined,
    scriptModules: written.filter(({ isScript }) => isScript).map(({ name }) => name),
  };
  return program;
}

function scriptOf(code: string, filename: string): Script {
  try {
    return new Script(code, { filename });
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
    if (typeof code !== 'string') throw EngineError.script(code.error.message);
    const module = parseModule(name, code);
    const names = requestsOf(module).map((request) => source.normalise(name, request));
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
  const gives = (from: ParsedModule | undefined, name: string, depth = 0): boolean => {
    if (from === undefined || depth > 50) return false;
    if (from.exports.has(name)) return true;
    return from.reexports.some(({ request, exported }) =>
      exported === undefined ? name !== 'default' && gives(target(from, request), name, depth + 1) : exported === name,
    );
  };
  for (const { request, imported } of module.imports) {
    if (imported === '' || imported === '*' || gives(target(module, request), imported)) continue;
    if (request === 'k6' || request.startsWith('k6/')) throw new NotRewritable(`"${imported}" of ${request}`);
    throw EngineError.script(
      `SyntaxError: ${module.name}: the module "${request}" does not provide an export named "${imported}"`,
    );
  }
}
