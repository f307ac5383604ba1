/** A disk that was full for a while is said, whatever k6's code. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { watchDisk } from '../../../tools/run/disk.ts';

it('says at how many looks it was full', () => {
  const free = [5e9, 0, 4096, 5e9, undefined];
  const disk = watchDisk('/results/a', () => free.shift());
  for (let i = 0; i < 5; i++) disk.look();
  expect(disk.problem()).toMatch(/^the disk of \/results\/a was full at 2 of 5 looks/);
});

it('says nothing of one with room, and asks the system', () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  const disk = watchDisk(tmpdir());
  disk.look();
  expect(disk.problem() === undefined).toBe(bavail * bsize >= 1 << 20);
});
