#!/usr/bin/env node
import { existsSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const cli = new URL('cli.mjs', dist);

/** A chunk of our own that is not there (yet): a build is under way, or was broken off. */
function isOurs(error) {
  const { code, url, message = '' } = error ?? {};
  return (
    code === 'ERR_MODULE_NOT_FOUND' &&
    !message.startsWith('Cannot find package') &&
    (String(url ?? '').startsWith(dist.href) || /^Cannot find module '[^']*[\\/]dist[\\/]/.test(message))
  );
}

function sayUnfinished(error) {
  if (!isOurs(error)) throw error;
  process.stderr.write(
    'bookstore-load: dist/ is incomplete, perhaps a build is under way; try again, or run `npm run build`.\n',
  );
  process.exit(2);
}

if (existsSync(cli)) {
  // Commands are loaded after the command line itself, so a missing chunk may show as an unhandled rejection.
  process.on('unhandledRejection', sayUnfinished);
  await import(cli.href).catch(sayUnfinished);
} else {
  process.stderr.write('bookstore-load: dist/cli.mjs is missing; run `npm run build` first.\n');
  process.exitCode = 2;
}
