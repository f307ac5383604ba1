/** What both databases offer to the code above them. */
export type Row = Record<string, unknown>;
export type Run = (text: string, values: readonly unknown[]) => Promise<Row[]>;

export interface Driver {
  readonly kind: 'postgresql' | 'embedded';
  /** One statement on any connection. */
  readonly run: Run;
  /** Several statements on one connection that nobody else uses meanwhile. */
  exclusive<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Writes the whole database to a file (embedded only). */
  dump?(file: string): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be reached just now: the API answers 503 with this reason and tries again on the next request. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** SQLSTATE of a database error, when it carries one. */
export function sqlState(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
