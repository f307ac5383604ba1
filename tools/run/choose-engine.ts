/** Which engine a run uses. */
import { UserError } from '../base/user-error.ts';
import type { Engine, EngineName } from './engine.ts';
import { findK6, GET_K6 } from './k6-binary.ts';
import { k6Engine } from './k6-engine.ts';

/**
 * The engine asked for; without a wish k6 if it is there, else the embedded one.
 * @throws UserError when k6 is asked for and not on this machine; says how to get it.
 */
export async function chooseEngine(wanted?: EngineName): Promise<Engine> {
  if (wanted !== 'embedded') {
    const k6 = await findK6();
    if (k6 !== undefined) return k6Engine(k6);
    if (wanted === 'k6') throw new UserError(`k6 was not found; ${GET_K6}`);
  }
  return (await import('./embedded-engine.ts')).embeddedEngine();
}
