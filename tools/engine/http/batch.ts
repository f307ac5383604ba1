/** `http.batch`: many requests at once, within k6's two limits. */
import type { Receive } from '../clock.ts';
import type { GuestAnswer } from './exchange.ts';

export interface BatchLimits {
  /** Requests on their way at the same time. */
  readonly all: number;
  /** Those to one host; 0 for no limit. */
  readonly perHost: number;
}

export interface BatchRequest {
  /** Host and port. */
  readonly host: string;
  readonly send: (received: Receive<GuestAnswer | Error>) => void;
}

/**
 * Sends requests in order: who is free takes the next one, and waits with it while its host has enough.
 * `done` hears all answers, or the first error once all are through.
 */
export function sendBatch(
  requests: readonly BatchRequest[],
  { all, perHost }: BatchLimits,
  done: Receive<readonly GuestAnswer[] | Error>,
): void {
  const list: GuestAnswer[] = [];
  const onTheWay = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let next = 0;
  let left = requests.length;
  let failure: Error | undefined;

  const begin = (host: string, send: () => void) => {
    const now = onTheWay.get(host) ?? 0;
    if (perHost > 0 && now >= perHost) waiting.set(host, [...(waiting.get(host) ?? []), send]);
    else {
      onTheWay.set(host, now + 1);
      send();
    }
  };
  const end = (host: string) => {
    const following = waiting.get(host)?.shift();
    if (following === undefined) onTheWay.set(host, (onTheWay.get(host) ?? 1) - 1);
    else following();
  };
  const take = () => {
    const i = next++;
    const request = requests[i];
    if (request === undefined) return;
    const { host, send } = request;
    begin(host, () =>
      send((answer) => {
        if (answer instanceof Error) failure ??= answer;
        else list[i] = answer;
        left--;
        if (left === 0) return done(failure ?? list);
        end(host);
        take();
        return true;
      }),
    );
  };
  if (left === 0) done(list);
  for (let i = Math.min(all, requests.length); i > 0; i--) take();
}
