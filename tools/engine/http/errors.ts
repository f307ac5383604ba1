/** Network errors in k6's words and numbers. */
import { AssertionError } from 'node:assert';

export const TIMEOUT = { error: 'request timeout', errorCode: 1050 } as const;

const BY_CODE: Readonly<Record<string, readonly [string, number]>> = {
  ECONNREFUSED: ['dial: connection refused', 1212],
  ENOTFOUND: ['lookup: no such host', 1101],
  EAI_AGAIN: ['lookup: temporary failure in name resolution', 1100],
  ECONNRESET: ['read: connection reset by peer', 1220],
  EPIPE: ['write: broken pipe', 1201],
  ETIMEDOUT: ['dial: i/o timeout', 1211],
  UND_ERR_CONNECT_TIMEOUT: ['dial: i/o timeout', 1211],
  EHOSTUNREACH: ['dial: no route to host', 1210],
  ENETUNREACH: ['dial: network is unreachable', 1210],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['x509: certificate signed by unknown authority', 1310],
  SELF_SIGNED_CERT_IN_CHAIN: ['x509: certificate signed by unknown authority', 1310],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['x509: certificate signed by unknown authority', 1310],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['x509: certificate signed by unknown authority', 1310],
  ERR_TLS_CERT_ALTNAME_INVALID: ["x509: certificate doesn't match hostname", 1311],
  CERT_HAS_EXPIRED: ['x509: certificate has expired or is not yet valid', 1300],
};

/** k6's error text and error code of a failed request. */
export function networkError(error: unknown): { error: string; errorCode: number; fatal?: boolean } {
  // The client takes a 101 for an answer to an upgrade that it asked for.
  if (error instanceof AssertionError && error.message.includes('upgrade')) {
    return { error: 'unsupported response status: 101 Switching Protocols', errorCode: 1000, fatal: true };
  }
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    // A name with several addresses fails with one error for each.
    const first: unknown = at instanceof AggregateError ? at.errors[0] : at;
    const code = (first as { code?: unknown }).code;
    if (typeof code !== 'string') continue;
    const known = BY_CODE[code];
    if (known !== undefined) return { error: known[0], errorCode: known[1] };
    if (code === 'UND_ERR_SOCKET') return { error: 'EOF', errorCode: 1000 };
    if (/wrong version number|packet length too long|http request/.test(at.message)) {
      return { error: 'tls: first record does not look like a TLS handshake', errorCode: 1301 };
    }
    if (code.startsWith('ERR_SSL') || code === 'EPROTO') return { error: `tls: ${at.message}`, errorCode: 1300 };
    if (code.startsWith('HPE_')) return { error: `malformed HTTP response: ${at.message}`, errorCode: 1000 };
  }
  return { error: error instanceof Error ? error.message : String(error), errorCode: 1000 };
}
