/** Version that `/api/status` and the access log name; a test holds it against package.json. */
export const VERSION = '0.1.0';
