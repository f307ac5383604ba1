/**
 * A suite's own model of its server, for rehearsals: what its endpoint table cannot say, such as a cart that is filled and a
 * stock that is sold. It stands in `server-model.ts` beside `suite.ts`, as that file's default export.
 */

/** A request as it arrives. */
export interface ModelledRequest {
  /** Its `name` tag: an endpoint of the suite, `pre-flight`, `set-up`. */
  readonly name: string;
  readonly method: string;
  readonly url: { readonly pathname: string; readonly search: string };
  readonly body: { toString(): string } | undefined;
}

export interface ModelledAnswer {
  readonly status: number;
  readonly body: string;
  /** Beside the Content-Type, by name in the form that k6 gives them: `Etag`, `Location`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Things that sessions use up. */
export interface ModelledStock {
  /** What they are called: `book`. */
  readonly item: string;
  /** Copies of each at the start. */
  readonly perItem: number;
  /** Copies that are gone, by id. */
  readonly sold: ReadonlyMap<string, number>;
}

export interface ModelledServer {
  /**
   * The answer to a request that is let through and does not fail; undefined for what the endpoint table says: the first
   * expected status with the example, or with the text that a good answer contains.
   */
  readonly answer: (request: ModelledRequest) => ModelledAnswer | undefined;
  readonly stock?: ModelledStock;
}

/** What a rehearsal says of the server. */
export interface ServerSettings {
  /** Copies of each item, of `--model`. */
  readonly stock: number;
  /** Time to live of its cache; 0 without one. */
  readonly cacheTtlSeconds: number;
  /** Rows of a pool; 0 for a pool that is not there. */
  readonly rows: (pool: string) => number;
}

/** Starts a server without history. */
export type SuiteServer = (settings: ServerSettings) => ModelledServer;
