/** What the command line of `traffic` takes. */
import { Command } from '@commander-js/extra-typings';
import type { OptionsOf } from '../../base/options.ts';
import { LOG_FORMATS } from '../../traffic/readers/formats/registry.ts';
import { formatLines, formatNames } from '../../traffic/readers/log-format.ts';

export const trafficDeclaration = () =>
  new Command('traffic')
    // --json and others belong to the command that they stand behind.
    .enablePositionalOptions()
    .description(
      'Read access logs and print what users do: endpoint mix, sessions, think times, popularity, arrivals.\n' +
        `Formats (found from the content): ${formatLines(LOG_FORMATS)}; gzip, zstd and brotli by their bytes.`,
    )
    .argument('[logs...]', 'files, patterns in quotes, or - for standard input')
    .option('--out <file>', 'write the workload there (data/workload.json is what the build takes)')
    .option('--page <file>', 'write a page with plots there')
    .option('--json', 'print one JSON document')
    .option('--format <format>', `${formatNames(LOG_FORMATS).join(', ')}, or a log_format/LogFormat string`, 'auto')
    .option(
      '--map <pairs>',
      'own field names: standard=yours,... (time, method, target, path, query, request, status, duration, client, user, agent, session, host, cache)',
    )
    .option('--client-field <name>', 'field that holds the client address')
    .option('--session-field <name>', 'field that holds a session id')
    .option('--session-cookie <name>', 'cookie that holds a session id')
    .option('--duration-unit <unit>', 's, ms, us or ns, where the format leaves it open or is a format string')
    .option(
      '--stamp <meaning>',
      'time stamps are the start or the end of requests (default: found from the order of lines)',
    )
    .option('--gap <seconds>', 'silence that ends a session (default: found from the data)')
    .option('--keep <classes>', 'keep noise classes: scanner,health,static,bot,monitoring,preflight,cdn,redirect')
    .option('--drop <classes>', 'leave out more: 4xx,5xx')
    .option(
      '--suite <folder>',
      'suite whose endpoints and flows are known (default: the current folder, else the bookstore)',
    )
    .option('--openapi <file>', 'take endpoint templates from an OpenAPI description')
    .option('--templates <file>', 'take endpoint templates from a list (METHOD /path/{x} a line)')
    .option('--write-templates <file>', 'write the templates found, to be pinned with --templates')
    .option(
      '--query-keys <keys>',
      'query keys that make an endpoint of its own, except where --templates lists them',
      'search,q,query',
    )
    .option('--item-route <template>', 'endpoint whose last placeholder is the item')
    .option(
      '--catalogue <n>',
      'items that exist (default: 40,000 for the bookstore unless the log speaks against it, else estimated)',
    )
    .option('--items', 'print item ids; otherwise items are ranks')
    .option('--peak', "write the busiest hour's rate into the workload instead of the mean")
    .option('--compress <factor>', 'make the stages that follow the day this many times shorter', '1')
    .option('--max-malformed <share>', 'refuse logs with more unreadable lines than this', '5%')
    .option('--threads <n>', 'threads for large files, one of which keeps the sessions (default: the cores, at most 8)')
    .option('--source <text>', 'what to call the log in the workload (file names stay out)')
    .option('--skeleton <folder>', 'write a scenario skeleton for the endpoints found there')
    .option('--force', 'let --skeleton overwrite a scenario.ts that has been edited')
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 2 wrong usage, or a file that the system refuses; 3 more unreadable lines than --max-malformed, no\n' +
        'request, or a log that says too little for a workload.\n' +
        "Example: bookstore-load traffic '/var/log/nginx/access.log*' --out data/workload.json --page workload.html",
    );

export type TrafficFlags = OptionsOf<typeof trafficDeclaration>;
