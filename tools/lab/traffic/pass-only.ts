/** The first pass alone, without fits and output: what the benchmark times. Arguments: log, threads. */
import { analyseLog } from '../../traffic/pass/analyse-log.ts';

const [log = '', threads = '1'] = process.argv.slice(2);
const { pass } = await analyseLog([log], {
  format: 'auto',
  reader: {},
  keep: [],
  drop: [],
  queryKeys: ['search', 'q', 'query'],
  threads: Number(threads),
  stdin: process.stdin,
});
process.stdout.write(`${JSON.stringify({ lines: pass.total.lines, sessions: pass.sessions.sessions })}\n`);
