/** Text summary from elsewhere: none by default; `node build.mjs --jslib` puts k6's published module here. */
export const externalSummary:
  | ((data: unknown, options: { indent: string; enableColors: boolean }) => string)
  | undefined = undefined;
