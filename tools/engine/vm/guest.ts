/** The k6 modules that run inside the virtual machine, as source text. */
import bodies from '../guest/bodies.js?raw';
import boot from '../guest/boot.js?raw';
import cookieJar from '../guest/cookie-jar.js?raw';
import core from '../guest/core.js?raw';
import crypto from '../guest/crypto.js?raw';
import data from '../guest/data.js?raw';
import encoding from '../guest/encoding.js?raw';
import execution from '../guest/execution.js?raw';
import html from '../guest/html.js?raw';
import http from '../guest/http.js?raw';
import httpRequest from '../guest/http-request.js?raw';
import k6 from '../guest/k6.js?raw';
import metricIds from '../guest/metric-ids.js?raw';
import metrics from '../guest/metrics.js?raw';
import shared from '../guest/shared.js?raw';
import text from '../guest/text.js?raw';
import timers from '../guest/timers.js?raw';
import webcrypto from '../guest/webcrypto.js?raw';

/** Modules that only our own modules may import. */
export const INTERNAL_MODULES: Readonly<Record<string, string>> = {
  'k6:bodies': bodies,
  'k6:boot': boot,
  'k6:cookie-jar': cookieJar,
  'k6:core': core,
  'k6:http-request': httpRequest,
  'k6:metric-ids': metricIds,
  'k6:shared': shared,
  'k6:text': text,
  'k6:webcrypto': webcrypto,
};

/** k6's modules that the embedded engine offers to scripts. */
export const OFFERED_MODULES: Readonly<Record<string, string>> = {
  k6: k6,
  'k6/crypto': crypto,
  'k6/data': data,
  'k6/encoding': encoding,
  'k6/execution': execution,
  'k6/html': html,
  'k6/http': http,
  'k6/metrics': metrics,
  'k6/timers': timers,
};

/** Read when a script asks for them: each costs every VU some memory. */
const ON_DEMAND: readonly string[] = ['k6/crypto', 'k6/encoding'];

/** Those that every script has in its memory. */
export const LOADED_MODULES: readonly string[] = Object.keys(OFFERED_MODULES).filter(
  (name) => !ON_DEMAND.includes(name),
);
