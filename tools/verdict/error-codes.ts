/** What k6's error codes mean, for people (k6 documentation, "Error codes"). */
const MEANINGS: Readonly<Record<number, string>> = {
  1000: 'connection lost or reset',
  1010: 'invalid address',
  1020: 'invalid URL',
  1050: 'time-out',
  1100: 'DNS error',
  1101: 'unknown host',
  1110: 'blocked address',
  1111: 'blocked host name',
  1200: 'TCP error',
  1201: 'broken pipe on write',
  1202: 'unknown TCP error',
  1210: 'dial error',
  1211: 'dial time-out',
  1212: 'connection refused',
  1213: 'unknown dial error',
  1220: 'connection reset by peer',
  1300: 'TLS error',
  1310: 'unknown certificate authority',
  1311: 'certificate for another host',
  1600: 'HTTP/2 error',
  1701: 'invalid compressed body',
};

export function errorCodeMeaning(code: number): string {
  if (code >= 1400 && code < 1600) return `status ${code - 1000}`;
  return MEANINGS[code] ?? (code === 0 ? 'no error code' : 'see the k6 documentation');
}
