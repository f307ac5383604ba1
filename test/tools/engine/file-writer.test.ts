import { expect, it, vi } from 'vitest';
import { fileWriter } from '../../../tools/engine/outputs/file-writer.ts';

it('a full disk ends nothing, and is said once', () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const file = fileWriter('/dev/full', 'csv', 1_000);
    for (let i = 0; i < 3; i++) {
      file.write('a,b\n');
      file.flush();
    }
    file.close();
    expect(said.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringMatching(/^the 'csv' output could not be written: .*ENOSPC.*\n$/),
    ]);
  } finally {
    said.mockRestore();
  }
});
