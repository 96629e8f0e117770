/** Milliseconds before whatever failed is tried again. */
export const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;

/** The pause after one of so many milliseconds. */
export function nextDelay(delay: number): number {
  return Math.min(delay * 2, LONGEST_DELAY);
}

/**
 * Asks again and again until the answer is yes: after about a second, then twice as long each time, up to 30 s; and at
 * once where the network is back, the person looks at the tab again or asks themselves.
 *
 * @returns what asks at once, and what ends it
 */
export function askAgain(ask: () => Promise<boolean>): { now: () => Promise<void>; stop: () => void } {
  let delay = FIRST_DELAY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  function wait() {
    clearTimeout(timer);
    if (stopped) return;
    // Not all browsers of an office in the same moment.
    timer = setTimeout(() => void now(), delay * (0.75 + Math.random() / 2));
    delay = nextDelay(delay);
  }

  async function now() {
    clearTimeout(timer);
    if (stopped) return;
    if (await ask()) stop();
    else wait();
  }

  const look = () => document.visibilityState === 'visible' && void now();

  function stop() {
    stopped = true;
    clearTimeout(timer);
    window.removeEventListener('online', now);
    document.removeEventListener('visibilitychange', look);
  }

  window.addEventListener('online', now);
  document.addEventListener('visibilitychange', look);
  wait();
  return { now, stop };
}
