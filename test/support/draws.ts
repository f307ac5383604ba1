/** Random numbers of laws, written out: a second way beside the suite's own samplers. */
export type Draw = (u: () => number) => number;

export const normal: Draw = (u) => Math.sqrt(-2 * Math.log(1 - u())) * Math.cos(2 * Math.PI * u());
export const exponential: Draw = (u) => -Math.log(1 - u());
/** Shape 3, scale 1. */
export const gamma3: Draw = (u) => exponential(u) + exponential(u) + exponential(u);
