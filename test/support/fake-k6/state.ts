/** What the stand-ins for k6's modules noted, and what they answer: tests of `lib/session` run in Node with these. */

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** As they were when the request was sent. */
  readonly params: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly tags?: Readonly<Record<string, string>>;
    readonly timeout?: number;
    readonly responseType?: string;
    readonly jar?: unknown;
  };
  /** Whether k6 counts it in `http_req_failed`. */
  readonly failed: boolean;
  /** Whether it was one of a batch. */
  readonly batched: boolean;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** ms */
  readonly duration?: number;
  readonly errorCode?: number;
}

export interface Sample {
  readonly metric: string;
  readonly value: number | boolean;
  readonly tags: Readonly<Record<string, string>>;
}

interface State {
  /** Rows of all pools. */
  rows: unknown[];
  /** Number of the session that runs. */
  iteration: number;
  answer: (request: Pick<SentRequest, 'method' | 'url' | 'body' | 'params'>) => FakeAnswer;
  sent: SentRequest[];
  samples: Sample[];
  checks: { readonly name: string; readonly held: boolean; readonly tags: Readonly<Record<string, string>> }[];
  /** s */
  slept: number[];
}

const initial = (): State => ({
  rows: [],
  iteration: 0,
  answer: () => ({ status: 200 }),
  sent: [],
  samples: [],
  checks: [],
  slept: [],
});

export const fake: State = initial();

/** Forgets everything; for before each test, since tests share their modules. */
export const resetFake = (): void => {
  Object.assign(fake, initial());
};

// k6's globals, which code at the top of a file may read.
const globals = globalThis as { __ENV?: Record<string, string>; __VU?: number };
globals.__ENV ??= {};
globals.__VU ??= 0;
