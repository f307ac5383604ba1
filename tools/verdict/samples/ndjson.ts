/**
 * k6's JSON output: one object a line, `Metric` lines between the `Point` lines. Lines are read as text and taken apart
 * one by one, so that a cut or broken line costs itself only. The CASE guards the extraction: a WHERE may run after it.
 */
import { pathText, text } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { type RowFilter, type SampleSource, SETUP_FLOOR_MS } from './source.ts';
import { tagSql } from './tags.ts';

/** A byte that JSON text cannot hold unescaped: the whole line is one column. */
const NO_DELIMITER = '\u0001';

/** A longer line is none of k6's. */
const MAX_LINE_BYTES = 8_000_000;

/** SQL relation with one text column `line`; lines that cannot even be taken as text go to the table `rejects`. */
export function ndjsonLines(path: string, gzip: boolean, rejects?: string): string {
  return (
    `read_csv(${pathText(path)}, header=false, auto_detect=false, delim=${text(NO_DELIMITER)}, quote='', escape='', ` +
    `compression=${gzip ? "'gzip'" : "'none'"}, columns={'line':'VARCHAR'}, ignore_errors=true, max_line_size=${MAX_LINE_BYTES}${
      rejects === undefined
        ? ''
        : `, store_rejects=true, rejects_table=${text(rejects)}, rejects_scan=${text(`${rejects}_scan`)}`
    })`
  );
}

/** An NDJSON file as a source. */
export function ndjsonSource(file: ResultFile, readFrom = file.path, gzip = file.gzip): SampleSource {
  const tag = (name: string) => tagSql('tags', name, 'json');
  return {
    path: file.path,
    format: 'ndjson',
    dialect: 'json',
    resolutionMs: 0.001,
    select: (filter) => `
      SELECT metric, epoch_us(try_cast(time AS TIMESTAMPTZ)) AS t, try_cast(value AS DOUBLE) AS v,
        coalesce(${tag('name')}, ${tag('url')}) AS name, ${tag('method')} AS method,
        try_cast(${tag('status')} AS SMALLINT) AS status, try_cast(${tag('error_code')} AS INTEGER) AS error_code,
        CASE ${tag('expected_response')} WHEN 'true' THEN true WHEN 'false' THEN false END AS expected,
        ${tag('scenario')} AS scenario, ${tag('group')} AS grp, ${tag('check')} AS check_name,
        nullif(tags, '{}') AS extra${filter.wanted.map((_, index) => `, NULL::VARCHAR AS w${index}`).join('')}
      FROM (
        SELECT part[1] AS metric, part[2] AS time, part[3] AS value, coalesce(part[4], '{}') AS tags FROM (
          SELECT CASE WHEN json_valid(line) THEN
            json_extract_string(line, ['$.metric', '$.data.time', '$.data.value', '$.data.tags', '$.type']) END AS part
          FROM ${ndjsonLines(readFrom, gzip)}
        ) WHERE part[5] = 'Point'
      ) WHERE ${ndjsonFilter(filter)}`,
  };
}

function ndjsonFilter(filter: RowFilter): string {
  const parts = ['true'];
  if (filter.without.length > 0) parts.push(`coalesce(metric NOT IN (${filter.without.map(text).join(', ')}), true)`);
  if (filter.floored.length > 0) {
    parts.push(
      `NOT (metric IN (${filter.floored.map(text).join(', ')}) AND coalesce(try_cast(value AS DOUBLE) < ${SETUP_FLOOR_MS}, false))`,
    );
  }
  return parts.join(' AND ');
}

/** SQL that counts the lines of each kind: `kind` is a type, `broken` for lines that are no JSON. */
export function ndjsonKinds(path: string, gzip: boolean, rejects: string): string {
  return `
    SELECT CASE WHEN json_valid(line) THEN coalesce(json_extract_string(line, '$.type'), 'untyped') ELSE 'broken' END AS kind,
      count(*) AS n
    FROM ${ndjsonLines(path, gzip, rejects)} WHERE trim(line) <> '' GROUP BY 1`;
}

/** SQL that lists metric names with their k6 type from the `Metric` lines. */
export function ndjsonMetricTypes(path: string, gzip: boolean): string {
  return `
    SELECT DISTINCT part[1] AS metric, part[2] AS type FROM (
      SELECT CASE WHEN json_valid(line) THEN json_extract_string(line, ['$.data.name', '$.data.type', '$.type']) END AS part
      FROM ${ndjsonLines(path, gzip)}
    ) WHERE part[3] = 'Metric'`;
}
