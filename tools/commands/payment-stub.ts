/** `bookstore-load payment-stub`: parses, starts, says where, stops on a signal. */
import { Command } from '@commander-js/extra-typings';
import { startPaymentStub } from '../../bookstore/payments/stub.ts';
import { refuse } from './refuse-setup.ts';
import { untilStopped } from './until-stopped.ts';
import { integer, number } from './values.ts';

export function command() {
  const self = new Command('payment-stub')
    .description('Start a stand-in for the payment provider: POST /v1/charges, GET /stats.')
    .option('--port <number>', 'port; 0 takes a free one', integer(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--min-delay <ms>', 'shortest time of a charge', number(0, 600_000), 0)
    .option('--max-delay <ms>', 'longest time of a charge (default: the shortest)', number(0, 600_000))
    .option('--error-share <share>', 'share of charges answered with 500, 0 to 1', number(0, 1), 0)
    .option('--slow-share <share>', 'share of charges that take --slow-delay more, 0 to 1', number(0, 1), 0)
    .option('--slow-delay <ms>', 'additional time of a slow charge', number(0, 600_000), 5_000)
    .option('--stop-after <seconds>', 'stop by itself', number(0.1, 1e6))
    .option('--json', 'print one JSON line when ready, and the counts at the end');
  return self.action(async (flags) => {
    const stub = await startPaymentStub({
      host: flags.host,
      port: flags.port,
      minDelayMs: flags.minDelay,
      maxDelayMs: flags.maxDelay ?? flags.minDelay,
      errorShare: flags.errorShare,
      slowShare: flags.slowShare,
      slowMs: flags.slowDelay,
    }).catch((error: unknown) => refuse('payment-stub', error));
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ url: stub.url, pid: process.pid })}\n`
        : `Payment stub at ${stub.url}; charges take ${flags.minDelay}-${flags.maxDelay ?? flags.minDelay} ms; stop with Ctrl-C.\n`,
    );
    await untilStopped(flags.stopAfter);
    await stub.close();
    const { received, charged, failed, abandoned } = stub.stats();
    process.stdout.write(
      flags.json
        ? `${JSON.stringify(stub.stats())}\n`
        : `${received} charges: ${charged} made, ${failed} failed; ${abandoned} had no client left.\n`,
    );
  });
}
