/** What the command line says of reading logs: checked, and put into the words of the analysis. */

import { availableParallelism } from 'node:os';
import { optional } from '../../base/optional.ts';
import { UserError } from '../../base/user-error.ts';
import { LARGEST_GIVEN } from '../../traffic/fit/popularity-fit.ts';
import type { ModelOptions } from '../../traffic/model/model.ts';
import type { AnalyseOptions } from '../../traffic/pass/analyse-log.ts';
import { type ReaderOptions, STANDARD_FIELDS, type StandardField } from '../../traffic/readers/raw-record.ts';
import { BOOKSTORE_CATALOGUE } from './bookstore-catalogue.ts';
import type { TrafficFlags } from './flags.ts';

export interface TrafficOptions {
  /** Share of unreadable lines from which logs are refused. */
  readonly limit: number;
  readonly analyse: Omit<AnalyseOptions, 'stdin'>;
  readonly model: ModelOptions;
}

/** @throws UserError for a value that means nothing, and for options that contradict each other */
export function trafficOptions(flags: TrafficFlags): TrafficOptions {
  const keep = listOf(flags.keep);
  const drop = listOf(flags.drop);
  const both = keep.find((name) => drop.includes(name));
  if (both !== undefined) throw new UserError(`--keep ${both} and --drop ${both}: give one of them`);
  if (flags.templates !== undefined && flags.openapi !== undefined)
    throw new UserError('--templates and --openapi both say what the endpoints are: give one of them');
  if (flags.itemRoute !== undefined && !/\{[^/}]*\}/.test(flags.itemRoute)) {
    throw new UserError(
      `--item-route "${flags.itemRoute}" has no placeholder that could be the item: write it as METHOD /path/{x}`,
    );
  }
  return {
    limit: shareOf(flags.maxMalformed, '--max-malformed'),
    analyse: {
      format: flags.format,
      reader: readerOptions(flags),
      keep,
      drop,
      queryKeys: listOf(flags.queryKeys),
      threads: flags.threads === undefined ? Math.min(8, availableParallelism()) : wholeOf(flags.threads, '--threads'),
      ...optional('openapi', flags.openapi),
      ...optional('templates', flags.templates),
      ...optional('stamp', oneOf(flags.stamp, '--stamp', ['start', 'end'] as const)),
      ...optional('gap', flags.gap === undefined ? undefined : numberOf(flags.gap, '--gap', 1)),
      ...optional('itemRoute', flags.itemRoute),
    },
    model: {
      compress: numberOf(flags.compress, '--compress', 0.001),
      items: flags.items === true,
      knownCatalogue: BOOKSTORE_CATALOGUE,
      ...optional('catalogue', flags.catalogue === undefined ? undefined : catalogueOf(flags.catalogue)),
    },
  };
}

function readerOptions(flags: TrafficFlags): ReaderOptions {
  const map: Partial<Record<StandardField, string>> = {};
  for (const pair of listOf(flags.map)) {
    const at = pair.indexOf('=');
    const field = pair.slice(0, at);
    if (at <= 0 || !(STANDARD_FIELDS as readonly string[]).includes(field)) {
      throw new UserError(
        `--map "${pair}": write STANDARD=YOURS with one of ${STANDARD_FIELDS.join(', ')}, for example method=verb`,
      );
    }
    map[field as StandardField] = pair.slice(at + 1);
  }
  return {
    ...optional('clientField', flags.clientField),
    ...optional('sessionField', flags.sessionField),
    ...optional('sessionCookie', flags.sessionCookie),
    ...optional('durationUnit', oneOf(flags.durationUnit, '--duration-unit', ['s', 'ms', 'us', 'ns'] as const)),
    map,
  };
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function oneOf<T extends string>(value: string | undefined, flag: string, values: readonly T[]): T | undefined {
  if (value === undefined || (values as readonly string[]).includes(value)) return value as T | undefined;
  throw new UserError(`${flag} ${value}: must be ${values.join(' or ')}`);
}

function numberOf(text: string, flag: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least) || !Number.isFinite(value))
    throw new UserError(`${flag} ${text}: must be a number of ${least} or more`);
  return value;
}

function wholeOf(text: string, flag: string): number {
  const value = numberOf(text, flag, 1);
  if (!Number.isInteger(value)) throw new UserError(`${flag} ${text}: must be a whole number of 1 or more`);
  return value;
}

function catalogueOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= LARGEST_GIVEN) return value;
  const most = LARGEST_GIVEN.toLocaleString('en-US');
  throw new UserError(`--catalogue ${text}: must be a whole number of items from 1 to ${most}`);
}

function shareOf(text: string, flag: string): number {
  const value = Number(text.replace(/%$/, '')) / (text.endsWith('%') ? 100 : 1);
  if (!/[0-9]/.test(text) || !(value >= 0 && value <= 1))
    throw new UserError(`${flag} "${text}": must be a share such as 5% or 0.05`);
  return value;
}
