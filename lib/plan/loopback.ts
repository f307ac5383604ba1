/** 127.0.0.0/8 as dotted quads; what is none, or has leading zeros, other programs may read as a name or in octal. */
const LOOPBACK = /^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Whether the text is an IPv4 address of this machine's loopback net, written in full. */
export const isLoopbackV4 = (host: string): boolean => LOOPBACK.test(host);
