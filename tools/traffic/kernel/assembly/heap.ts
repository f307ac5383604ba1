/** Memory of the sessions' module beyond the fixed places; it is never given back, only forgotten when all begins anew. */
import { HEAP } from './session-layout';

/** Memory that holds zeros, on a boundary of two cache lines. */
export function take(bytes: usize): usize {
  const at = load<u32>(HEAP) as usize;
  const end = at + ((bytes + 127) & ~127);
  const pages = (((end + 0xffff) >> 16) as i32) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  store<u32>(HEAP, end as u32);
  return at;
}
