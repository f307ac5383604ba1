/**
 * One WebAssembly instance of QuickJS a VU. Asyncify keeps one suspended stack an instance, so VUs that wait at the same
 * time need one each; compiling, the costly part, is done once a process.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

async function sharedVariant(): Promise<QuickJSAsyncVariant> {
  if (shared === undefined) {
    const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-asyncify/wasm');
    const wasmModule = await compile(readFileSync(file));
    shared = newVariant(variant as unknown as QuickJSAsyncVariant, { wasmModule, log: () => undefined });
  }
  return shared;
}

/** A fresh, isolated QuickJS; about 0.3 MB before a script is loaded. */
export async function newModule(): Promise<QuickJSAsyncWASMModule> {
  return newQuickJSAsyncWASMModuleFromVariant(await sharedVariant());
}
