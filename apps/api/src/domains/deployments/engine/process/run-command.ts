import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { LogWriter, ProcessOrigin } from '../engine.ts';
import { aborted, type Exit } from '../instances/exit.ts';
import { confined } from './confine.ts';
import { Breach } from './guard.ts';
import type { ProcessParts } from './process-parts.ts';
import type { Run } from './runs.ts';
import { feed } from './sandbox/bubblewrap.ts';

export interface Command {
  argv: readonly string[];
  folder: string;
  env: Record<string, string>;
  run: Run;
  /** Largest single file it may write, in bytes. */
  maxFileBytes: number;
  /** Files and folders besides the release that it may read. */
  readable?: readonly string[];
  /** Set for a program that is not the project's, and must reach what the machine does: it shares our network. */
  sharesNetwork?: boolean;
  /** Whether its standard input is ours to write; else there is none. */
  input?: boolean;
}

/** Between SIGTERM and SIGKILL for a step that is stopped. */
const GRACE_MS = 1000;

/** Starts a command in a session of its own, as a part of its run, confined, its output piped to us. */
export function spawnCommand(parts: ProcessParts, command: Command) {
  const { argv, env, folder, account, inputs } = confined(command, parts);
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: folder,
    env,
    stdio: [command.input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)],
    detached: true,
    ...account,
  });
  feed(child, inputs);
  command.run.adopt(child);
  // Descriptors 1 and 2 are pipes, which Node's types lose as soon as there may be more or fewer.
  return child as typeof child & { stdin: Writable | null; stdout: Readable; stderr: Readable };
}

/** Milliseconds that output may keep us busy before all else gets its turn, and how often as long that turn is. */
const BUSY_MS = 4;
const REST = 3;

/** Reads a process's output, each stream for a quarter of our time at most: what floods us is held up by its pipe. */
export function pipeToLog(
  child: ReturnType<typeof spawnCommand>,
  log: Pick<LogWriter, 'write'>,
  origin?: ProcessOrigin,
): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name].setEncoding('utf8');
    let busy = 0;
    stream.on('data', (text: string) => {
      const begun = performance.now();
      log.write(name, text, origin);
      busy += performance.now() - begun;
      if (busy < BUSY_MS) return;
      stream.pause();
      setTimeout(() => stream.resume(), busy * REST);
      busy = 0;
    });
  }
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
  const shortage = command.run.shortage();
  if (shortage && child.exitCode !== 0) throw new Breach(`it ${shortage}`);
  return { code: child.exitCode, signal: child.signalCode };
}
