/** Flags of `k6 run` that this engine does not have: each is refused by its name, with what carries it. */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UserError } from '../base/user-error.ts';

/** As k6's help writes them. */
export const REFUSED_FLAGS: readonly string[] = [
  '-p, --paused',
  '--http-debug [string]',
  '--blacklist-ip <range>',
  '--console-output <file>',
  '--local-ips <list>',
  '--dns <settings>',
  '--compatibility-mode <mode>',
  '-t, --type <type>',
  '--new-machine-readable-summary',
  '--traces-output <target>',
  '-l, --linger',
  '--features <list>',
  '-a, --address <address>',
  '-c, --config <file>',
  '--log-format <format>',
  '--log-output <target>',
  '--profiling-enabled',
  '--secret-source <source>',
];

/** Values with which a flag asks for what is so anyway. */
const SO_ANYWAY: Readonly<Record<string, string>> = {
  'compatibility-mode': 'extended',
  type: 'js',
  'traces-output': 'none',
  'log-output': 'stderr',
};

export function withRefusedFlags(command: CommandUnknownOpts): void {
  for (const written of REFUSED_FLAGS) {
    const flag = new Option(written).hideHelp();
    command.addOption(flag);
    command.on(`option:${flag.name()}`, (value: unknown) => {
      if (value !== undefined && SO_ANYWAY[flag.name()] === value) return;
      throw new UserError(
        `--${flag.name()} is not offered by the embedded engine; leave it out, or run this script with k6 (--engine k6)`,
      );
    });
  }
}

export const refusedFlagNames = (): string[] => REFUSED_FLAGS.map((written) => `--${new Option(written).name()}`);
