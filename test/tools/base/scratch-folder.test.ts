/** A folder that nobody keeps goes, whatever ends its use. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inScratchFolder } from '../../../tools/base/scratch-folder.ts';

it('is removed at the end, also when its user fails', async () => {
  const folders: string[] = [];
  await expect(
    inScratchFolder(async (folder) => {
      folders.push(folder);
      writeFileSync(join(folder, 'archive.tar'), 'x');
      throw new Error('failed');
    }),
  ).rejects.toThrow('failed');
  expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
});

it('is removed by a signal, which aborts what writes into it and ends the process with the signal’s code', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await inScratchFolder(async (folder, signal) => {
      writeFileSync(join(folder, 'archive.tar'), 'x');
      // 128 + 15, as a shell shows SIGTERM.
      expect(() => process.emit('SIGTERM', 'SIGTERM')).toThrow('exit 143');
      expect([existsSync(folder), signal.aborted]).toEqual([false, true]);
    });
    expect(process.listenerCount('SIGTERM')).toBe(0);
  } finally {
    exit.mockRestore();
    stderr.mockRestore();
  }
});
