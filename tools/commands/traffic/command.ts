/** `traffic`: access logs to a workload; `traffic solve`: request shares to session shares and back. */
import { Command } from '@commander-js/extra-typings';
import { writeOutput } from '../../base/output-file.ts';
import { jsonSchemas } from '../../traffic/model/traffic-schema.ts';
import { trafficDeclaration } from './flags.ts';
import { runTraffic } from './run.ts';
import { solveCommand } from './solve.ts';

export function command() {
  return trafficDeclaration().action(runTraffic).addCommand(solveCommand()).addCommand(schemaCommand());
}

function schemaCommand() {
  return new Command('schema')
    .description('Print or write the JSON Schemas of workload.json and of --json.')
    .option('--out <folder>', 'write the files there')
    .action((flags) => {
      if (flags.out === undefined) {
        process.stdout.write(`${JSON.stringify(jsonSchemas(), null, 2)}\n`);
        return;
      }
      for (const [file, schema] of Object.entries(jsonSchemas())) {
        writeOutput(`${flags.out}/${file}`, `${JSON.stringify(schema, null, 2)}\n`);
      }
    });
}
