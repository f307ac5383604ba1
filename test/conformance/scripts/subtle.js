// Sums and signatures of crypto.subtle.
export default async function () {
  const text = new TextEncoder().encode('abc');
  const shown = (buffer) => new Uint8Array(buffer).join();
  for (const hash of ['SHA-1', 'SHA-256', { name: 'SHA-384' }, 'SHA-512'])
    console.log(shown(await crypto.subtle.digest(hash, text)));
  const hmac = { name: 'HMAC', hash: { name: 'SHA-256' } };
  const key = await crypto.subtle.importKey('raw', text, hmac, false, ['sign', 'verify']);
  const signature = await crypto.subtle.sign('HMAC', key, text);
  console.log(shown(signature), key.type, key.usages.join(), await crypto.subtle.verify('HMAC', key, signature, text));
}
