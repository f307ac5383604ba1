/**
 * What the tests and the processes that they start find around them, wherever they run: one folder for all temporary files,
 * removed when all have ended, and no colours, which FORCE_COLOR and CI would ask for in a pipe too.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function surroundings(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'bookstore-load-test-'));
  // PostgreSQL does not run as root, and its own user must get in.
  chmodSync(folder, 0o755);
  // Workers and what they start inherit it.
  process.env['TMPDIR'] = folder;
  process.env['NO_COLOR'] = '1';
  // Node warns on stderr when both are set.
  delete process.env['FORCE_COLOR'];
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
