import { setTimeout as wait } from 'node:timers/promises';
import { type AppProcess, type StartOptions, startAppProcess } from './app-process.ts';
import { duration } from './guard.ts';
import type { ProcessParts } from './process-parts.ts';
import { aborted } from './run-command.ts';

export interface Supervision {
  /** Ends the supervision, but not the run that is up. */
  signal: AbortSignal;
  onUp(run: AppProcess): void;
  onDown(): void;
}

/**
 * Keeps an app running: starts it (unless `first` runs already) and starts it again when it ends, after a growing
 * pause. Resolves with the reason when it has failed too often; rejects when `signal` aborts.
 */
export async function supervise(
  parts: ProcessParts,
  options: Omit<StartOptions, 'signal'> & { first?: AppProcess },
  { signal, onUp, onDown }: Supervision,
): Promise<string> {
  const { crashes, crashWindow, restartDelay, restartDelayMax } = parts.limits;
  let failures: number[] = [];
  for (let run = options.first; ; run = undefined) {
    let reason: string;
    try {
      run ??= await startAppProcess(parts, { ...options, signal });
      failures = failures.filter((at) => at > Date.now() - crashWindow);
      onUp(run);
      reason = `The app ${await Promise.race([run.ended, aborted(signal)])}.`;
      onDown();
      await run.stop(0);
    } catch (error) {
      if (signal.aborted || !(error instanceof Error)) throw error;
      reason = error.message;
    }
    failures.push(Date.now());
    if (failures.length >= crashes) return `${reason} It crashed ${crashes} times and will not be restarted.`;
    const delay = Math.min(restartDelay * 2 ** (failures.length - 1), restartDelayMax);
    options.log.system(`${reason} Restarting in ${duration(delay)}.`);
    await wait(delay, undefined, { signal });
  }
}
