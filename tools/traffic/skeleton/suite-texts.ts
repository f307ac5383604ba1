/** The texts of a skeleton's TypeScript files. What comes from a log stands in them as strings, and in no comment. */
import type { SuiteRequest } from './requests.ts';

export interface SuiteText {
  /** Name of the load test and of the folder with the suite's definition. */
  readonly name: string;
  readonly requests: readonly SuiteRequest[];
  /** Names of the placeholders, each a pool. */
  readonly pools: readonly string[];
  /** The one that follows the workload's popularity. */
  readonly popular: string | undefined;
}

/** `scenarios/<name>/suite.ts`. */
export function definitionText({ requests, pools, popular }: SuiteText): string {
  const endpoints = requests.map(({ key, request }) =>
    line(2, `${keyOf(key)}: { request: ${literal(request)}, body: 'none' },`),
  );
  const poolLines = pools.map((name) => {
    const law = name === popular ? "'workload'" : "{ law: 'uniform' }";
    const file = literal(`${name}.csv`);
    return line(2, `${keyOf(name)}: { file: ${file}, columns: { ${keyOf(name)}: 'text' }, law: ${law} },`);
  });
  return `/**
 * The API as an access log shows it, made by \`bookstore-load traffic --skeleton\`.
 *
 * TODO: the rows of data/*.csv are made up. Put the ids of your own data there, the most popular ones first in the pool that
 * follows the workload; a pool may have more columns.
 */
import { defineSuite, type SuiteOf } from 'bookstore-load';
import type workload from '../../data/workload.json';

const suite = defineSuite({
  // The keys are the steps of data/workload.json; an endpoint may say which statuses are expected beside 2xx.
  endpoints: {
${endpoints.join('\n')}
  },
${pools.length === 0 ? '' : `  pools: {\n${poolLines.join('\n')}\n  },\n`}  variables: {
    ITEM: {
      kind: 'choice',
      of: ['session', 'view'],
      default: 'session',
      help: 'Whether a session keeps the ids that it asks for, or each request takes new ones.',
    },
  },
});

export default suite;
export type Api = SuiteOf<typeof suite, typeof workload>;
`;
}

/** `scenarios/<name>.ts`. */
export function loadTestText({ name, requests }: SuiteText, flows: readonly string[]): string {
  const bodies = requests.filter(({ request }) => /^(POST|PUT|PATCH) /.test(request));
  const bodiesText = `/** TODO: what each request with a body sends, which a log does not tell. */
const bodies: { readonly [endpoint: string]: CallOptions } = {
${bodies.map(({ key }) => line(1, `${keyOf(key)}: { json: {} },`)).join('\n')}
};

`;
  return `/** The traffic of an access log: flows, steps and think times are data (data/workload.json), and drawn for each session. */
import { ${bodies.length > 0 ? 'type CallOptions, ' : ''}drawnFlow, loadTest, sessionOf } from 'bookstore-load';
import type { Api } from './${name}/suite.ts';

${bodies.length > 0 ? bodiesText : ''}const drawn = drawnFlow<Api>({
${bodies.length > 0 ? '  options: (_session, endpoint) => bodies[endpoint],\n' : ''}  keepsValues: ({ variables }) => variables.ITEM === 'session',
});
const session = sessionOf(drawn);

export const { options, setup, handleSummary } = loadTest({
  name: ${literal(name)},
  flows: {
${flows.map((flow) => line(2, `${keyOf(flow)}: drawn,`)).join('\n')}
  },
});
${exportText(flows.map((flow) => `session as ${flow}`))}
`;
}

/** On one line when it fits, as a formatter has it. */
function exportText(names: readonly string[]): string {
  const short = `export { ${names.join(', ')} };`;
  return short.length <= WIDTH ? short : `export {\n${names.map((name) => line(1, `${name},`)).join('\n')}\n};`;
}
const WIDTH = 120;

const line = (depth: number, text: string): string => `${'  '.repeat(depth)}${text}`;
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** A string of TypeScript with exactly this text; JSON leaves two line separators as they are. */
function literal(text: string): string {
  const json = JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
  return json.includes("'") || json.includes('\\"') ? json : `'${json.slice(1, -1)}'`;
}
