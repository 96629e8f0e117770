import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { type Account, runsAsRoot } from '@nephos/db';
import { ClientFailure, type Credentials } from '../engine.ts';
import { MARIADB_ENVIRONMENT } from './mariadb-home.ts';

/** The server, and who asks it. */
export interface ClientTarget extends Credentials {
  host: string;
  port: number;
}

/** What a client says at most of why it failed. */
const SAID = 500;

/** Accounts beyond all others: nobody else's process can read a client's environment, where its password stands. */
const FIRST_ACCOUNT = 2_000_000_000;
const ACCOUNTS = 100_000_000;

function anyAccount(): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const uid = FIRST_ACCOUNT + randomInt(ACCOUNTS);
  return { uid, gid: uid };
}

/** Options that come before a client's own: nobody's settings files, and nothing that the argument list would tell. */
export function targetOptions({ host, port, name }: ClientTarget): string[] {
  return ['--no-defaults', '--protocol=tcp', `--host=${host}`, `--port=${port}`, `--user=${name}`];
}

/** Starts a client under an account of its own where we are root, with the password in its environment. */
export function startClient(
  program: string,
  options: readonly string[],
  { password, ...stdio }: { password: string } & Pick<SpawnOptions, 'stdio' | 'signal'>,
): { child: ChildProcess; ended: Promise<void> } {
  const child = spawn(program, options, {
    ...anyAccount(),
    ...stdio,
    cwd: '/',
    env: { ...MARIADB_ENVIRONMENT, MYSQL_PWD: password },
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, SAID);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new ClientFailure(wordsOf(said)))));
  });
  // Who waits for its output first hears of it there.
  ended.catch(() => {});
  return { child, ended };
}

/** Without the program's name, and without the statement at which it happened. */
function wordsOf(said: string): string {
  const words = said
    .replace(/^mariadb(-dump)?: /, '')
    .replace(/ near '.*$/s, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words || 'It ended early.';
}
