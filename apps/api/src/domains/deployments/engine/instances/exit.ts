import { constants } from 'node:os';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How a process ended, to complete a sentence: 'exited with code 1'. */
export function describeExit({ code, signal }: Exit): string {
  const name = signal ?? signalOf(code ?? 0);
  return name ? `was killed by ${name}` : `exited with code ${code}`;
}

/** What runs another program tells its signal by a code above 128, as shells do. */
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}

/** Rejects with the signal's reason when it aborts; never resolves. It is for a race with what it should cut short. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
