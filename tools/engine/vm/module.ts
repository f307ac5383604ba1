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

/** Pages of 64 KB that the library's module begins with and may grow to. */
const MEMORY_PAGES = { initial: 256, maximum: 32_768 };

/** @see MEMORY_PAGES */
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

/** A fresh, isolated QuickJS; about 0.3 MB before a script is loaded. @param optimise for long computations */
export async function newModule(optimise: boolean): Promise<IsolatedModule> {
  const memory = new Memory(MEMORY_PAGES);
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
