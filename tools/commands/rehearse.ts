/** `bookstore-load rehearse`: an hour of load in well under a minute, on a virtual clock, before any load is sent. */
import { Command } from 'commander';
import type { RehearseOptions } from '../rehearse/command.ts';

export function command(): Command {
  return new Command('rehearse')
    .description(
      'Run a scenario on a virtual clock against a model of the server: mix, VUs, samples, cache, stock, warnings.\nNothing is sent.',
    )
    .argument('[scenario]', 'name of a scenario (dist/<name>.js) or path of a script', 'bookstore-mix')
    .option(
      '-e, --env <name=value>',
      'variable for the script; repeat for more',
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option('--duration <time>', 'length of the measured phase, such as 1h (DURATION)')
    .option('--rate <n>', 'sessions per second (RATE)')
    .option('--seed <text>', 'SEED of the sessions; also seeds the model')
    .option('--model <file>', 'server model as JSON')
    .option('--from <folder>', "latencies and statuses of an earlier run's samples.csv")
    .option('--results <folder>', 'write samples.csv and summary.json there, as a run would')
    .option('--interpreted', 'run the script in a sandbox, which takes many times longer')
    .option('--json', 'print the plan as JSON')
    .action(async (scenario: string, flags: RehearseOptions) => {
      const { hasRoom, inRoom } = await import('../rehearse/room.ts');
      if (!hasRoom()) {
        process.exitCode = await inRoom();
        return;
      }
      const { rehearseCommand } = await import('../rehearse/command.ts');
      process.exitCode = await rehearseCommand(scenario, flags);
    });
}
