import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LogWriter } from '../engine.ts';
import { confined } from './confine.ts';
import type { ProcessParts } from './process-parts.ts';
import type { Run } from './runs.ts';

export interface Command {
  argv: readonly string[];
  folder: string;
  env: Record<string, string>;
  run: Run;
  /** Largest single file it may write, in bytes. */
  maxFileBytes: number;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Between SIGTERM and SIGKILL for a step that is stopped. */
const GRACE_MS = 1000;

/** Starts a command in a session of its own, as a part of its run, limited, its output piped to us. */
export function spawnCommand({ toolchain, limits }: ProcessParts, command: Command) {
  const { argv, env } = confined(command, { toolchain, limits, maxFileBytes: command.maxFileBytes });
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: command.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...command.run.account,
  });
  command.run.adopt(child.pid);
  return child;
}

export function pipeToLog(child: ReturnType<typeof spawnCommand>, log: Pick<LogWriter, 'write'>): void {
  child.stdout.setEncoding('utf8').on('data', (text: string) => log.write('stdout', text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.write('stderr', text));
}

/**
 * Runs a command to its end and ends everything that its run left running. When `signal` aborts, ends it too and rejects
 * with the signal's reason. Rejects with the system's error when the program cannot be started.
 */
export async function runCommand(
  parts: ProcessParts,
  command: Command,
  options: { log: Pick<LogWriter, 'write'>; signal: AbortSignal },
): Promise<Exit> {
  options.signal.throwIfAborted();
  const child = spawnCommand(parts, command);
  pipeToLog(child, options.log);
  const ended = once(child, 'exit');
  const closed = once(child, 'close').catch(() => undefined);
  try {
    await Promise.race([ended, aborted(options.signal)]);
  } finally {
    await command.run.end(options.signal.aborted ? GRACE_MS : 0);
  }
  await closed;
  return { code: child.exitCode, signal: child.signalCode };
}

/** How a process ended, to complete a sentence: 'exited with code 1'. */
export function describeExit({ code, signal }: Exit): string {
  return signal ? `was killed by ${signal}` : `exited with code ${code}`;
}

/** Rejects with the signal's reason when it aborts; never resolves. It is for a race with what it should cut short. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
