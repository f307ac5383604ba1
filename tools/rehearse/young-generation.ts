/** The heap that fits a rehearsal: the size of the young generation, which Node takes at its start only. */

/**
 * Half of the memory for young objects, MB (Node's own: 16). Sessions live for about a second of this process; in a smaller one each is
 * copied several times and then kept until the whole heap is collected (measured by an hour in turns: with 128 no faster, 95 MB more).
 */
export const SETTING = '--max-semi-space-size=64';
