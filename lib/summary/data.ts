/** What k6 hands over at the end of a run. */

/** The part of k6's handleSummary data that is read. */
export interface SummaryData {
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly values: Readonly<Record<string, number>>;
        readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
      }
    >
  >;
  /** Set-up included. */
  readonly state: { readonly testRunDurationMs: number };
  readonly setup_data?: unknown;
}
