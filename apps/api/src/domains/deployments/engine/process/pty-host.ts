import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type * as Pty from '@lydell/node-pty';

/**
 * A program of its own, which runs as the project, in its confinement, and beside a copy of the package that it loads:
 * it opens a shell with a terminal and carries bytes. What comes on standard input are lines of JSON.
 */

interface Opening {
  env: Record<string, string>;
  cols: number;
  rows: number;
  /** Name of the app, for the prompt. */
  name: string;
}

type Message = { input: string } | { resize: [cols: number, rows: number] };

const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

function openShell(pty: typeof Pty, { env, cols, rows, name }: Opening): Pty.IPty {
  const bash = BASH.find(existsSync);
  // What the system's own start files put there names an account that has no name.
  const [file, args, PS1] = bash
    ? ([bash, ['--noprofile', '--norc', '-i'], `${name}:\\W\\$ `] as const)
    : (['/bin/sh', ['-i'], `${name}$ `] as const);
  return pty.spawn(file, [...args], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: process.cwd(),
    env: { ...env, PS1, TERM: 'xterm-256color', COLORTERM: 'truecolor', HISTFILE: '' },
    // Bytes, as they are: what reads them knows where a character ends.
    encoding: null,
  });
}

/** Carries what the shell writes, no faster than it is taken. */
function carryOutput(shell: Pty.IPty): void {
  // Not `process.stdout`, which writes to a pipe synchronously and would keep us from reading meanwhile.
  const out = new Socket({ fd: 1, readable: false });
  out.on('error', () => process.exit(0));
  shell.onData((data) => {
    if (out.write(data)) return;
    shell.pause();
    out.once('drain', () => shell.resume());
  });
  shell.onExit(({ exitCode }) => out.end(() => process.exit(exitCode)));
}

function obey(shell: Pty.IPty, message: Message): void {
  if ('input' in message) shell.write(message.input);
  else shell.resize(...message.resize);
}

function main(): void {
  const pty: typeof Pty = createRequire(import.meta.url)('@lydell/node-pty');
  let shell: Pty.IPty | undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const message: Opening | Message = JSON.parse(line);
    if (!('env' in message)) {
      if (shell) obey(shell, message);
      return;
    }
    shell = openShell(pty, message);
    carryOutput(shell);
  });
  // Who opened it is gone.
  lines.on('close', () => {
    shell?.kill('SIGHUP');
    process.exit(0);
  });
}

main();
