/** Runs a module that exists as text only. */
export const importText = (text: string): Promise<Readonly<Record<string, unknown>>> =>
  import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
