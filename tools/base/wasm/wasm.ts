/** As much of WebAssembly's JavaScript interface as this room takes; no library among the types has it. */

export interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly [name: string]: unknown;
}

const { Module, Instance } = (
  globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object, imports: object) => { readonly exports: WasmExports };
    };
  }
).WebAssembly;

/** A module in base64, compiled when it is first asked for; each call makes an instance with memory of its own. */
export function wasmModule(base64: string): (imports: object) => WasmExports {
  let compiled: object | undefined;
  return (imports) => {
    compiled ??= new Module(Buffer.from(base64, 'base64'));
    return new Instance(compiled, imports).exports;
  };
}

/** Value of an exported constant. */
export function constantOf(exports: WasmExports, name: string): number {
  return (exports[name] as { value: number }).value;
}
