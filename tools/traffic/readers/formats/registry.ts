/** The log formats that there are, in the order in which they are tried on a line. A new one is a file here and a place in the list. */
import type { LogFormat } from '../log-format.ts';
import { ALB } from './alb.ts';
import { CONSOLE } from './console.ts';
import { CSV } from './csv.ts';
import { JSON_LINES } from './json.ts';
import { LOGFMT } from './logfmt.ts';
import { NCSA } from './ncsa.ts';
import { PATTERN } from './pattern.ts';
import { TSV } from './tsv.ts';
import { W3C } from './w3c.ts';

/** Names with tabs between them may hold commas, so that TSV stands before CSV. */
export const LOG_FORMATS: readonly LogFormat[] = [NCSA, W3C, JSON_LINES, ALB, LOGFMT, CONSOLE, TSV, CSV, PATTERN];
