/** The guide to a suite of one's own is the example of the ticket tracker, word for word. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/cli.ts';

const GUIDE = join(ROOT, 'docs/own-api.md');
const EXAMPLE = join(ROOT, 'examples/ticket-tracker');

it('shows the files as they are; renew it with `npx vitest run test/docs --update`', async () => {
  const text = readFileSync(GUIDE, 'utf8');
  const shown: string[] = [];
  const renewed = text.replace(/<!-- file:(\S+) -->\n[\s\S]*?<!-- file:end -->/g, (_, file: string) => {
    shown.push(file);
    const source = readFileSync(join(EXAMPLE, file), 'utf8').trimEnd();
    return `<!-- file:${file} -->\n\`${file}\`:\n\n\`\`\`${extname(file).slice(1)}\n${source}\n\`\`\`\n<!-- file:end -->`;
  });
  expect(shown.length).toBeGreaterThan(5);
  await expect(renewed).toMatchFileSnapshot(GUIDE);
});
