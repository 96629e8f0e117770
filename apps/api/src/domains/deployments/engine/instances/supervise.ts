import { setTimeout as wait } from 'node:timers/promises';
import { duration } from '../../../../platform/duration.ts';
import type { ProcessState, ProcessStatus } from '../engine.ts';
import type { Limits } from '../limits.ts';
import { type AppProcess, EndedEarly, type Ending, type Runtime, type StartOptions } from '../runtime.ts';
import { aborted } from './exit.ts';
import { nameOfInstance } from './run-processes.ts';

interface Parts {
  limits: Limits;
  runtime: Pick<Runtime, 'startInstance'>;
}

export interface SuperviseOptions extends Omit<StartOptions, 'signal' | 'patient'> {
  /** Ends the supervision and the run that it is about to start, but not one that is up. */
  signal: AbortSignal;
  /** Whether the first start must succeed: else it is tried as often as after a crash. */
  strict: boolean;
  /** Whether it ran before: then it waits for a disk that cannot be mounted, however long that takes. */
  resumed: boolean;
  /** Called before the first start, which waits for it. */
  turn?: () => Promise<Disposable>;
  onUp(): void;
  onDown(): void;
  onChange(status: ProcessStatus, exit: Ending['exit']): void;
}

/**
 * Keeps an instance running: starts it, and starts it again when it ends, after a growing pause. Resolves with the reason
 * when it has failed too often; rejects when `signal` aborts, or with the `StepFailure` of a strict first start.
 */
export async function supervise(parts: Parts, options: SuperviseOptions): Promise<string> {
  const { signal, onUp, onDown } = options;
  const { crashes, crashWindow, restartDelay, restartDelayMax, diskDelayMax } = parts.limits;
  const name = nameOfInstance(options.process, options.instance);
  const tell = createTeller(options);
  let failures: number[] = [];
  let ranBefore = options.resumed;
  let waits = 0;
  for (let first = true; ; first = false) {
    let reason: string;
    let ending: Ending;
    try {
      if (waits === 0) tell('starting');
      const run = await startInTurn(parts, options, first);
      failures = failures.filter((at) => at > Date.now() - crashWindow);
      ranBefore = true;
      waits = 0;
      onUp();
      tell('running', { port: portOf(run), node: run.node ?? null });
      ending = await Promise.race([run.ended, aborted(signal)]);
      reason = `${name} ${ending.how}.`;
      onDown();
      await run.stop(0);
    } catch (error) {
      if (signal.aborted || !(error instanceof Error) || (first && options.strict)) throw error;
      reason = error.message;
      ending = error instanceof EndedEarly ? error.ending : { how: `could not start: ${reason}`, exit: null };
    }
    if (ending.isBlameless) continue;
    const waitsForDisk = ranBefore && ending.awaitsDisk === true;
    waits = waitsForDisk ? waits + 1 : 0;
    if (!waitsForDisk) failures.push(Date.now());
    const isOver = failures.length >= crashes;
    // A wait is told of once, however long it is.
    if (waits <= 1) tell(isOver ? 'failed' : 'crashed', { ending });
    if (isOver) return `${reason} It crashed ${crashes} times and will not be restarted.`;
    const delay = waitsForDisk
      ? Math.min(restartDelay * 2 ** waits, diskDelayMax)
      : Math.min(restartDelay * 2 ** (failures.length - 1), restartDelayMax);
    options.log.system(`${reason} Restarting in ${duration(delay)}.`);
    await wait(delay, undefined, { signal });
  }
}

/** Only the first start takes its turn, and is told of to whoever waits for it: the others come when its deployment is over. */
async function startInTurn(
  { runtime }: Parts,
  { turn, onListening, ...options }: SuperviseOptions,
  first: boolean,
) {
  if (!first) return runtime.startInstance({ ...options, patient: true });
  using _turn = await turn?.();
  const patient = turn !== undefined || !options.strict;
  return runtime.startInstance({ ...options, patient, ...(onListening && { onListening }) });
}

function portOf({ origin }: AppProcess): number | null {
  return origin === '' ? null : Number(new URL(origin).port);
}

/** Says what becomes of the instance, and counts how often it was started again. */
function createTeller({ process, instance, onChange }: SuperviseOptions) {
  let starts = 0;
  return (
    state: ProcessState,
    {
      port = null,
      node = null,
      ending,
    }: { port?: number | null; node?: string | null; ending?: Ending } = {},
  ) => {
    if (state === 'starting') starts += 1;
    onChange(
      {
        ...{ process: process.name, instance, command: process.label, state, port, node },
        since: new Date().toISOString(),
        reason: ending?.how ?? '',
        restarts: Math.max(starts - 1, 0),
      },
      ending?.exit ?? null,
    );
  };
}
