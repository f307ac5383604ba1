/** Options that end a run before it begins. */
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../../tools/engine/options.ts';

const silent = () => undefined;

describe('options that the engine does not have', () => {
  it.each([
    ['localIPs', '127.0.0.2'],
    ['tlsAuth', [{ cert: 'x', key: 'y' }]],
    ['blacklistIPs', ['10.0.0.0/8']],
    ['httpDebug', 'full'],
  ])('are refused by name, from the script and from above: %s', (name, value) => {
    const sentence = `the option "${name}" is not offered by the embedded engine`;
    expect(() => consolidate({ [name]: value }, {}, silent)).toThrow(sentence);
    expect(() => consolidate({}, { [name]: value }, silent)).toThrow(sentence);
  });

  it('include a batch that would never send anything', () => {
    expect(() => consolidate({ batch: 0 }, {}, silent)).toThrow('the option "batch" must be at least 1');
    expect(consolidate({ batch: 1, batchPerHost: 0 }, {}, silent)).toEqual({ batch: 1, batchPerHost: 0 });
  });
});
