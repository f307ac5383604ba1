/** Nothing in a name moves the cursor. */
import { expect, it } from 'vitest';
import { visible, visibleLines } from '../../../tools/base/terminal-text.ts';
import { readableLine } from '../../../tools/run/log-follower.ts';

it('control characters are shown, line ends too unless lines are meant', () => {
  expect(visible('a\u001b[2J\nb')).toBe('a\\u001b[2J\\nb');
  expect(visibleLines('a\u001b[2J\nb')).toBe('a\\u001b[2J\nb');
});

it.each([
  'time="x" level=info msg="red \\u001b[31m\\n\\tat a" source=console',
  '\u001b[31mred',
  'time="x" level=info msg=a f="\u001b[31m"',
])('a line of a log brings no escape sequence of its own to the terminal: %j', (line) => {
  const shown = readableLine(line);
  // Colours of the level are the suite's own: each ends before the next begins.
  expect(shown).not.toContain('\u001b[31mred');
  expect(shown).toContain('\\u001b[31m');
});
