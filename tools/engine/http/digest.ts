/** HTTP digest authentication (RFC 7616): the answer to a challenge. */
import { createHash, randomBytes } from 'node:crypto';

const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

/**
 * The `Authorization` header that answers a `WWW-Authenticate`.
 * @returns undefined where there is no challenge of this kind that can be answered
 */
export function digestAnswer(
  challenge: string | undefined,
  request: { readonly method: string; readonly uri: string; readonly username: string; readonly password: string },
  clientNonce = randomBytes(16).toString('hex'),
): string | undefined {
  const asked = /\bDigest\s+(.*)$/i.exec(challenge ?? '')?.[1];
  if (asked === undefined) return undefined;
  const fields = Object.fromEntries(
    [...asked.matchAll(/([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted ?? plain ?? '',
    ]),
  );
  const { realm = '', nonce = '', opaque, algorithm = 'MD5' } = fields;
  const [name = '', session] = algorithm.toUpperCase().split('-SESS');
  const hashName = HASHES[name];
  const qop = (fields['qop'] ?? '').split(',').map((item) => item.trim());
  if (hashName === undefined || (fields['qop'] !== undefined && !qop.includes('auth'))) return undefined;
  const hash = (text: string) => createHash(hashName).update(text).digest('hex');
  const plain = hash(`${request.username}:${realm}:${request.password}`);
  const first = session === undefined ? plain : hash(`${plain}:${nonce}:${clientNonce}`);
  const second = hash(`${request.method}:${request.uri}`);
  const count = '00000001';
  const response = hash(
    fields['qop'] === undefined
      ? `${first}:${nonce}:${second}`
      : `${first}:${nonce}:${count}:${clientNonce}:auth:${second}`,
  );
  return `Digest ${[
    `username="${request.username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${request.uri}"`,
    `response="${response}"`,
    ...(fields['algorithm'] === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
    ...(fields['qop'] === undefined ? [] : ['qop=auth', `nc=${count}`, `cnonce="${clientNonce}"`]),
  ].join(', ')}`;
}
