/** A request and its answer as they pass between the engine and guest/http.js. */
import type { Form } from './body.ts';
import type { ResponseCallback } from './record.ts';

/** A request as guest/http.js describes it. */
export interface GuestRequest {
  readonly method: string;
  readonly url: string;
  readonly name?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly binary?: boolean;
  /** In place of a body. */
  readonly form?: Form;
  readonly timeout: number;
  readonly responseType: 'text' | 'binary' | 'none';
  readonly group: string;
  readonly expected: ResponseCallback;
  readonly cookies?: readonly GuestCookie[];
  /** A jar of the script's own in place of the VU's: its number among those of one call, and what it holds. */
  readonly jar?: { readonly id: number; readonly text: string };
  readonly redirects?: number;
  /** Whether a failure shall throw; undefined where the option decides. */
  readonly throws?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
  /** Encodings of the body, in their order. */
  readonly compression?: readonly string[];
  /** Answer a challenge with the user of the URL. */
  readonly digest?: boolean;
}

/** A cookie of one request: beside those of the jar, or with `replace` in place of the jar's of that name. */
export interface GuestCookie {
  readonly name: string;
  readonly value: string;
  readonly replace: boolean;
}

export interface GuestAnswer {
  readonly response: Record<string, unknown>;
  /** Bytes of a binary body, one character each. */
  readonly raw?: string;
}
