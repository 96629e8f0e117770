import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import type { Shell, ShellSize } from '../app-commands.ts';
import { largestFile } from './disks.ts';
import type { ProcessParts } from './process-parts.ts';
import { spawnCommand } from './run-command.ts';
import type { Place } from './run-in-app.ts';
import { findTerminalProgram } from './terminal-program.ts';

/** Milliseconds between hanging up and the end by force. */
const GRACE_MS = 1000;
/** Characters that wait for a shell which reads no input; past it what comes is dropped. */
const MOST_WAITING = 1024 * 1024;

/** Opens a shell at a place, whose run ends with it. */
export async function openShell(
  parts: ProcessParts,
  { app, folder, env, run, bounds }: Place,
  size: ShellSize,
): Promise<Shell> {
  const program = findTerminalProgram(parts.root);
  const argv = ['node', program];
  // What the project has Node load is for its own programs.
  const { NODE_OPTIONS: _, ...own } = env;
  const child = spawnCommand(parts, {
    ...{ argv, folder, env: own, run, maxFileBytes: largestFile(parts, app) },
    readable: [dirname(program)],
    input: true,
  });
  const send = lineWriter(child.stdin);
  send({ env, ...size, name: app.slug });
  let fault = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    fault = (fault + text).slice(0, 1000);
  });
  const close = async () => {
    child.stdin?.destroy();
    await run.end(GRACE_MS);
  };
  bounds.signal.addEventListener('abort', () => void close());
  const exited = once(child, 'exit').catch(() => undefined);
  const ended = exited.then(async () => {
    bounds[Symbol.dispose]();
    await run[Symbol.asyncDispose]();
    if (bounds.signal.aborted) return `The session was stopped because ${bounds.signal.reason.message}.`;
    return child.exitCode === null || fault === '' ? 'The session has ended.' : CANNOT_OPEN;
  });
  return {
    output: child.stdout,
    write: (input) => send({ input }),
    resize: ({ cols, rows }) => send({ resize: [cols, rows] }),
    close,
    ended,
  };
}

const CANNOT_OPEN = "The terminal couldn't be opened on this server.";

function lineWriter(stdin: Writable | null): (message: object) => void {
  // It may have ended, which `ended` tells.
  stdin?.on('error', () => {});
  return (message) => {
    if (stdin && !stdin.destroyed && stdin.writableLength < MOST_WAITING) {
      stdin.write(`${JSON.stringify(message)}\n`);
    }
  };
}
