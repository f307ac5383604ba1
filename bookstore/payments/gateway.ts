/** Charges an order at the payment provider. A charge that fails in any way leaves the order pending; it never fails the order. */
import { Agent, request } from 'undici';
import { STUB_SERVICE } from './stub-service.ts';

export interface Charge {
  readonly orderId: number;
  readonly amountCents: number;
}

export type PaymentsKind = 'none' | 'stub' | 'provider';

export interface PaymentsSeen {
  readonly kind: PaymentsKind;
  /** Whether anything answers there now; a stub that was seen once may have gone since. */
  readonly answers: boolean;
}

export interface Gateway {
  /** Whether the provider took the charge (any 2xx within the time-out). */
  charge(charge: Charge): Promise<boolean>;
  /** What stands behind the URL, so that a load test can refuse to charge a real provider. */
  look(): Promise<PaymentsSeen>;
  readonly counts: {
    readonly sent: number;
    readonly accepted: number;
    readonly refused: number;
    readonly timedOut: number;
    readonly failed: number;
  };
  close(): Promise<void>;
}

export const CURRENCY = 'EUR';

/** How long a stub may take to say that it is one. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * @param url base of the provider's API; `POST <url>/v1/charges`
 * @param timeoutMs from sending the charge to its whole answer
 */
export function paymentGateway(url: string, timeoutMs: number): Gateway {
  const base = url.replace(/\/+$/, '');
  const agent = new Agent({ keepAliveTimeout: 10_000 });
  const counts = { sent: 0, accepted: 0, refused: 0, timedOut: 0, failed: 0 };
  let isStub = false;
  return {
    charge: async ({ orderId, amountCents }) => {
      counts.sent++;
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const { statusCode, body } = await request(`${base}/v1/charges`, {
          method: 'POST',
          dispatcher: agent,
          signal,
          headers: { 'content-type': 'application/json', 'idempotency-key': `order-${orderId}` },
          body: JSON.stringify({ orderId, amount: amountCents / 100, currency: CURRENCY }),
        });
        await body.dump();
        const accepted = statusCode >= 200 && statusCode < 300;
        counts[accepted ? 'accepted' : 'refused']++;
        return accepted;
      } catch (error) {
        const timedOut = error instanceof Error && error.name === 'TimeoutError';
        counts[timedOut ? 'timedOut' : 'failed']++;
        return false;
      }
    },
    look: async () => {
      let answers = false;
      try {
        const { body } = await request(`${base}/stats`, {
          dispatcher: agent,
          signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
        });
        const text = await body.text();
        answers = true;
        const stats = JSON.parse(text) as { service?: unknown } | null;
        isStub ||= stats?.service === STUB_SERVICE;
      } catch {
        // Not there, or no stub: it may be a real provider, and that is what the status must then say.
      }
      return { kind: isStub ? 'stub' : 'provider', answers };
    },
    counts,
    close: () => agent.destroy(),
  };
}
