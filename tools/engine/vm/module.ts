/**
 * One WebAssembly instance of QuickJS a VU. Asyncify keeps one suspended stack an instance, so VUs that wait at the same
 * time need one each; compiling, the costly part, is done once a process.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import variant from '@jitl/quickjs-wasmfile-release-asyncify';
import {
  newQuickJSAsyncWASMModuleFromVariant,
  newVariant,
  type QuickJSAsyncVariant,
  type QuickJSAsyncWASMModule,
} from 'quickjs-emscripten';

/** Node has it; the type library that we compile against (no DOM) does not. */
const { compile, Memory } = (
  globalThis as unknown as {
    WebAssembly: {
      compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
      Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
    };
  }
).WebAssembly;

const PAGE_BYTES = 65_536;
/** Pages that the library's module begins with, and the most that it may ever have. */
const INITIAL_PAGES = 256;
const MOST_PAGES = 32_768;

/** The memory of one instance. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

let compiled: Promise<WebAssembly.Module> | undefined;

function compiledModule(optimise: boolean): Promise<WebAssembly.Module> {
  if (compiled === undefined) {
    // V8's optimising compiler takes about 2 s of CPU and 100 MB for QuickJS's interpreter loop, beside the load: worth it
    // for an hour of rehearsed sessions, not for a short run that waits for answers most of the time.
    if (!optimise) setFlagsFromString('--liftoff-only');
    compiled = compile(
      readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-asyncify/wasm')),
    );
  }
  return compiled;
}

export interface IsolatedModule {
  readonly module: QuickJSAsyncWASMModule;
  /** All that the instance knows lies in here. */
  readonly memory: WasmMemory;
}

/**
 * A fresh, isolated QuickJS; about 0.3 MB before a script is loaded.
 * @param memoryLimit bytes, at least 16 MB. QuickJS's own limit does not work in WebAssembly, where it cannot ask malloc for
 *   sizes; so the memory itself is limited.
 * @param optimise for long computations
 */
export async function newModule(memoryLimit: number, optimise: boolean): Promise<IsolatedModule> {
  const pages = Math.max(INITIAL_PAGES, Math.min(MOST_PAGES, Math.ceil(memoryLimit / PAGE_BYTES)));
  const memory = new Memory({ initial: INITIAL_PAGES, maximum: pages });
  const wasmModule = await compiledModule(optimise);
  const own = newVariant(variant as unknown as QuickJSAsyncVariant, {
    wasmModule,
    wasmMemory: memory as never,
    log: () => undefined,
    // What the library would print about a breakdown, the engine says in a sentence.
    emscriptenModule: { printErr: () => undefined } as NonNullable<
      Parameters<typeof newVariant>[1]['emscriptenModule']
    >,
  });
  return { module: await newQuickJSAsyncWASMModuleFromVariant(own), memory };
}
