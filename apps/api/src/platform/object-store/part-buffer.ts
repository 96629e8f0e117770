const FIRST = 64 * 1024;

/**
 * Gathers pieces into parts of as many bytes as `sizeOf` says of each, the first of which has the number `first`. It
 * grows with what it holds: most objects are far smaller than a part.
 */
export function createPartBuffer(sizeOf: (number: number) => number, first = 1) {
  let number = first;
  let size = sizeOf(number);
  let buffer = Buffer.allocUnsafeSlow(0);
  let filled = 0;

  function makeRoom(wanted: number): void {
    if (wanted <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(size, Math.max(FIRST, 2 * buffer.length, wanted)));
    buffer.copy(larger, 0, 0, filled);
    buffer = larger;
  }

  /** What it holds; the buffer is the caller's then. */
  function take(): Buffer {
    const taken = buffer.subarray(0, filled);
    [buffer, filled] = [Buffer.allocUnsafeSlow(0), 0];
    return taken;
  }

  return {
    take,
    /** Adds a copy of the piece; yields every part that is full by that. */
    *add(piece: Uint8Array): Generator<Buffer> {
      for (let taken = 0; taken < piece.length; ) {
        const some = piece.subarray(taken, taken + size - filled);
        makeRoom(filled + some.length);
        buffer.set(some, filled);
        filled += some.length;
        taken += some.length;
        if (filled < size) continue;
        yield take();
        number += 1;
        size = sizeOf(number);
      }
    },
  };
}

/** Sends one part while the next one is gathered; `send` is called for one after the other. */
export function createFlight(send: (part: Buffer) => Promise<void>) {
  let flying = Promise.resolve();
  return {
    async add(part: Buffer): Promise<void> {
      await flying;
      flying = send(part);
      // Its failure is met at the next one or at the end; until then it must not count as one that nobody handles.
      flying.catch(() => {});
    },
    landed: () => flying,
  };
}
