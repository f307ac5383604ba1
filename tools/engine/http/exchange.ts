/** A request and its answer as they pass between the engine and guest/http.js. */
import type { ResponseCallback } from './record.ts';

/** A request as guest/http.js describes it. */
export interface GuestRequest {
  readonly method: string;
  readonly url: string;
  readonly name?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly binary?: boolean;
  readonly timeout: number;
  readonly responseType: 'text' | 'binary' | 'none';
  readonly group: string;
  readonly expected: ResponseCallback;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly redirects?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface GuestAnswer {
  readonly response: Record<string, unknown>;
  /** Bytes of a binary body, one character each. */
  readonly raw?: string;
}
