/** Columns between tabs below a header line; the rest is as with CSV. */
import type { LogFormat } from '../log-format.ts';
import { csvReader, headerDelimiter, namesInHeader } from './csv.ts';

const TAB = '\t';

export const TSV: LogFormat = {
  name: 'tsv',
  lines: 'TSV with a header',
  writers: 'spreadsheets, exports of databases',
  reader: (options) => csvReader(TAB, options),
  header: {
    kind: 'columns',
    readerFrom: (line, options) => (headerDelimiter(line, [TAB]) === undefined ? undefined : csvReader(TAB, options)),
  },
  fieldNames: namesInHeader,
};
