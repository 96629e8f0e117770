/** How slow the other end of a connection may be. */
export interface Patience {
  /** Milliseconds that it has at first. */
  first: number;
  /** Milliseconds that it can have at most: what arrived fast buys no long silence afterwards. */
  most: number;
  /** Bytes that earn it another second. */
  bytesPerSecond: number;
}

/** With those who send bodies, and with those who read answers. */
export interface Patiences {
  senders: Patience;
  readers: Patience;
}

/**
 * Half of the slowest honest line, 64 KiB/s, for who sends. What a reader's machine takes is seen in steps of up to
 * 1.3 MB, as the kernel makes room in its buffers: 20 seconds apart on that line.
 */
export const PATIENCE: Patiences = {
  senders: { first: 15_000, most: 30_000, bytesPerSecond: 32 * 1024 },
  readers: { first: 30_000, most: 30_000, bytesPerSecond: 16 * 1024 },
};

/** How often is looked, in parts of `first`. */
const LOOKS = 15;

export interface Line {
  /** Bytes that have passed so far. */
  passed(): number;
  /** Whether it is the other end that is waited for. */
  isAwaited(): boolean;
  /** Called once the patience is at its end. */
  cut(): void;
}

/** Watches a connection until the function that it returns is called. */
export function watchLine({ first, most, bytesPerSecond }: Patience, line: Line): () => void {
  const pause = first / LOOKS;
  let left = first;
  let [lookedAt, passed] = [performance.now(), line.passed()];
  const timer = setInterval(() => {
    const [now, total] = [performance.now(), line.passed()];
    // Time in which this process stood still is nobody's fault.
    if (line.isAwaited()) left -= Math.min(now - lookedAt, 2 * pause);
    left = Math.min(most, left + ((total - passed) / bytesPerSecond) * 1000);
    [lookedAt, passed] = [now, total];
    if (left > 0) return;
    clearInterval(timer);
    line.cut();
  }, pause);
  return () => clearInterval(timer);
}
