import { duration } from '../../../../platform/duration.ts';
import type { CommandEnd } from '../app-commands.ts';
import { describeExit, type Exit } from './exit.ts';

const HOUR = 60 * 60_000;

/** How a command that ran to its end ended. */
export function endOf(exit: Exit): CommandEnd {
  if (exit.code === 0) return { status: 'succeeded', exitCode: 0 };
  return { status: 'failed', exitCode: exit.code, error: `The command ${describeExit(exit)}.` };
}

/** It was stopped; `reason` completes a sentence: 'it ran out of memory (1 GB)'. */
export function broken(reason: string): CommandEnd {
  return { status: 'failed', exitCode: null, error: `The command was stopped because ${reason}.` };
}

/** It was stopped at its time limit, in milliseconds. */
export function timedOut(timeLimit: number): CommandEnd {
  const hours = timeLimit / HOUR;
  const time = Number.isInteger(hours) ? `${hours} hour${hours === 1 ? '' : 's'}` : duration(timeLimit);
  return { status: 'timed-out', error: `The command was stopped because it took more than ${time}.` };
}
