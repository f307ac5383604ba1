/** Stands for `k6/encoding`. */
export default { b64encode: (text: string): string => Buffer.from(text).toString('base64') };
