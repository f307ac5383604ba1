/** A file as text: vite's convention, taught to the build in build.mjs. */
declare module '*?raw' {
  const text: string;
  export default text;
}
