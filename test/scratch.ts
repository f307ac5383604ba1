/** One folder for all temporary files of the tests and of the processes that they start, removed when all have ended. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function scratch(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'bookstore-load-test-'));
  // PostgreSQL does not run as root, and its own user must get in.
  chmodSync(folder, 0o755);
  // Workers and what they start inherit it.
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
