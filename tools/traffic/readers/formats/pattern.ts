/** Lines that a server's own format string describes, nginx's `log_format` or Apache's `LogFormat`; nothing else finds them. */
import type { LogFormat } from '../log-format.ts';
import { patternIn } from '../pattern.ts';
import { patternReader } from '../pattern-reader.ts';

export const PATTERN: LogFormat = {
  name: 'pattern',
  lines: 'lines of a log_format or LogFormat string',
  writers: 'nginx, Apache, and others (Envoy, HAProxy) whose fields are given nginx’s names',
  fromString(text, options) {
    const compiled = patternIn(text);
    return compiled?.kind === 'text' ? patternReader(compiled.pattern, options.durationUnit) : undefined;
  },
};
