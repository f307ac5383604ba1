/** The JUnit form of test results, which every CI system reads. */
import { escapeMarkup as x } from './markup.ts';

export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  /** Absent for a case that passed. A failure is a result that is not wished for, an error says that there is none. */
  readonly outcome?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly message: string;
    readonly text?: string;
  };
  /** What a reader should know of the result, whatever it is. */
  readonly note?: string;
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** How long it took, where that is known. */
  readonly seconds?: number;
}

export function junitDocument(suites: readonly JunitSuite[]): string {
  const timed = suites.filter(({ seconds }) => seconds !== undefined);
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = timed.length > 0 ? timed.reduce((sum, one) => sum + (one.seconds ?? 0), 0) : undefined;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(all, seconds)}>`,
    ...suites.map(junitSuite),
    '</testsuites>',
    '',
  ].join('\n');
}

/** One suite as it stands in a document, without a line end. */
export function junitSuite({ name, cases, seconds }: JunitSuite): string {
  return [`  <testsuite name="${x(name)}" ${counts(cases, seconds)}>`, ...cases.map(junitCase), '  </testsuite>'].join(
    '\n',
  );
}

function counts(cases: readonly JunitCase[], seconds: number | undefined): string {
  const of = (kind: string) => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"${time}`;
}

function junitCase({ classname, name, outcome, note }: JunitCase): string {
  const open = `    <testcase classname="${x(classname)}" name="${x(name)}"`;
  const inner: string[] = [];
  if (outcome !== undefined) {
    const { kind, message, text } = outcome;
    const start = `      <${kind} message="${x(message)}"`;
    inner.push(text === undefined ? `${start}/>` : `${start}>${x(text)}</${kind}>`);
  }
  if (note !== undefined) inner.push(`      <system-out>${x(note)}</system-out>`);
  return inner.length === 0 ? `${open}/>` : [`${open}>`, ...inner, '    </testcase>'].join('\n');
}
