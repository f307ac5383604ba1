/** What the kernel exports: its functions, and where things lie. */
export {
  ADDRESS_BYTES,
  BY_KIND,
  CAPACITY,
  DROPPED,
  ENDPOINTS,
  INPUT,
  INPUT_BYTES,
  KNOWN,
  KNOWN_TIME,
  LAST_TIME,
  MASKS,
  MOST_ROUTES,
  NOISE,
  NOISE_COUNTS,
  PATH_BYTES,
  PATHS,
  PLACES,
  REASON,
  ROWS,
  STATUS_COUNTS,
} from './layout';
export { putAgent, putPath, putQuery, scan } from './scan';
