/** Counts what a flow sends and thinks by running it once without a system: the number is never written down anywhere. */
import type { Flow } from '../model/flow.ts';

export interface FlowRecord {
  /** Requests of one undisturbed session per endpoint name. */
  readonly requests: Readonly<Record<string, number>>;
  /** Its think steps in order, repeats included. */
  readonly thinks: readonly string[];
  /** Books that it picks. */
  readonly picks: number;
}

/** Runs `flow` once with good answers. The flow must not depend on chance in what it sends. */
export function recordFlow(flow: Flow): FlowRecord {
  const requests: Record<string, number> = {};
  const thinks: string[] = [];
  let picks = 0;
  flow({
    random: () => 0.5,
    book: () => `${picks++}`,
    searchTerm: () => 'x',
    category: () => 'x',
    think: (step) => {
      thinks.push(step);
    },
    send: (calls, key, _path, about = '') => {
      const { endpoint, example = '' } = calls(key);
      requests[endpoint.name] = (requests[endpoint.name] ?? 0) + 1;
      return { status: endpoint.expected[0] ?? 200, body: example, about };
    },
  });
  return { requests, thinks, picks };
}
