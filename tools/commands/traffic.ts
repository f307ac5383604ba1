import { Command } from 'commander';
import type { ProveFlags } from '../lab/traffic/command-prove.ts';
import type { SolveFlags } from '../traffic/command-solve.ts';
import type { TrafficFlags } from '../traffic/options.ts';
import { LOG_FORMATS } from '../traffic/readers/formats/registry.ts';
import { formatLines, formatNames } from '../traffic/readers/log-format.ts';

/** `traffic`: access logs to a workload; `traffic solve`: request shares to session shares and back. */
export function command(): Command {
  const traffic = new Command('traffic')
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
    )
    .action(async (logs: string[], flags: TrafficFlags) => {
      const { runTraffic } = await import('../traffic/command-run.ts');
      await runTraffic(logs, flags);
    });
  traffic
    .command('solve')
    .description(
      'Turn request shares of a log into session shares of scenarios, and back, for the flows of a workload.\n' +
        'A wish names a flow, which stands for the endpoints that only it asks for (NAME:all for all its requests),\n' +
        'or an endpoint, by its name or the step name that think times have.',
    )
    .option('--requests <wish...>', 'wanted share of requests, for example checkout=15% or order=5%,search=10%')
    .option('--sessions <shares>', 'session shares, for example 70,20,10 or browse=70,search=20,checkout=10')
    .option(
      '--workload <file>',
      "workload whose flows, session shares and popularity are taken, also another API's that traffic --out wrote",
      'data/workload.json',
    )
    .option(
      '--total <n>',
      'show what a log of so many requests has: requests, distinct items, views of the top 10 to 1000',
    )
    .option('--catalogue <n>', 'items that exist (default: 40,000 for the bookstore, or what a popularity curve says)')
    .option('--json', 'print one JSON document')
    .action(async (flags: SolveFlags) => {
      const { runSolve } = await import('../traffic/command-solve.ts');
      await runSolve(flags);
    });
  traffic
    .command('prove')
    .description(
      'Show that the tool can be believed: how often its intervals hold a known truth, and that broken lines do no harm.',
    )
    .option('--coverage <n>', 'make and read back this many seeded samples of the workload')
    .option('--grid', 'fit known popularity laws over exponents, catalogue sizes and numbers of views (five minutes)')
    .option('--estimate', 'with --grid: a few laws whose catalogue of 2,000 the fit is not told (a minute)')
    .option('--replicates <n>', 'bootstrap replicates of each fit of the grid; below 70 nothing can be rejected', '80')
    .option('--fuzz <n>', 'read this many mutated lines of each format')
    .option('--sessions <n>', 'sessions of each sample', '3600')
    .option('--books <n>', 'items of the catalogue', '40000')
    .option('--workload <file>', 'the known truth', 'data/workload.json')
    .option('--seed <text>', 'seed of everything random', 'prove')
    .option('--json', 'print one JSON document')
    .action(async (flags: ProveFlags) => {
      const { runProve } = await import('../lab/traffic/command-prove.ts');
      await runProve(flags);
    });
  traffic
    .command('schema')
    .description('Print or write the JSON Schemas of workload.json and of --json.')
    .option('--out <folder>', 'write the files there')
    .action(async (flags: { out?: string }) => {
      const { jsonSchemas } = await import('../traffic/model/traffic-schema.ts');
      if (flags.out === undefined) {
        process.stdout.write(`${JSON.stringify(jsonSchemas(), null, 2)}\n`);
        return;
      }
      const { writeOutput } = await import('../base/output-file.ts');
      for (const [file, schema] of Object.entries(jsonSchemas())) {
        writeOutput(`${flags.out}/${file}`, `${JSON.stringify(schema, null, 2)}\n`);
      }
    });
  return traffic;
}
