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
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> } }
).WebAssembly;

let shared: QuickJSAsyncVariant | undefined;

async function sharedVariant(optimise: boolean): Promise<QuickJSAsyncVariant> {
  if (shared === undefined) {
    // V8's optimising compiler takes about 2 s of CPU and 100 MB for QuickJS's interpreter loop, beside the load: worth it
    // for an hour of rehearsed sessions, not for a short run that waits for answers most of the time.
    if (!optimise) setFlagsFromString('--liftoff-only');
    const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-asyncify/wasm');
    const wasmModule = await compile(readFileSync(file));
    shared = newVariant(variant as unknown as QuickJSAsyncVariant, {
      wasmModule,
      log: () => undefined,
      // What the library would print about a breakdown, the engine says in a sentence.
      emscriptenModule: { printErr: () => undefined } as NonNullable<
        Parameters<typeof newVariant>[1]['emscriptenModule']
      >,
    });
  }
  return shared;
}

/** A fresh, isolated QuickJS; about 0.3 MB before a script is loaded. @param optimise for long computations */
export async function newModule(optimise: boolean): Promise<QuickJSAsyncWASMModule> {
  return newQuickJSAsyncWASMModuleFromVariant(await sharedVariant(optimise));
}
