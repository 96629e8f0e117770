/** Bytes that are read or written at once: with fewer, one waits longer for a thread than for the disk. */
export const BLOCK = 512 * 1024;
/** Bytes: most files are no larger. */
export const SMALL_BLOCK = 64 * 1024;

/** Blocks between two uses: new ones for each would have V8 go through all of its heap now and then. */
const spare = { small: [] as Buffer[], large: [] as Buffer[] };
/** Of each size. */
const MAX_SPARE = 32;

/** A block that nobody else uses until `giveBlocks` has it back. What was in it is still there. */
export function takeBlock(size: keyof typeof spare): Buffer {
  return spare[size].pop() ?? Buffer.allocUnsafeSlow(size === 'small' ? SMALL_BLOCK : BLOCK);
}

/** Gives blocks back that nothing reads or writes any more. */
export function giveBlocks(...blocks: readonly Buffer[]): void {
  for (const block of blocks) {
    const others = block.length === SMALL_BLOCK ? spare.small : spare.large;
    if (others.length < MAX_SPARE) others.push(block);
  }
}
