/** The text of kernel.generated.ts as the sources in assembly/ give it. */
export function compileKernel(): Promise<string>;
