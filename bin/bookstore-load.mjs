#!/usr/bin/env node
import { existsSync } from 'node:fs';

const cli = new URL('../dist/cli.mjs', import.meta.url);
if (existsSync(cli)) {
  await import(cli.href);
} else {
  process.stderr.write('bookstore-load: dist/cli.mjs is missing; run `npm run build` first.\n');
  process.exitCode = 2;
}
