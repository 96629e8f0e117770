import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Account,
  endServerIn,
  type HeldFolder,
  holdFolder,
  openRotatingLog,
  reachableFolder,
  runsAsRoot,
  writePrivately,
} from '@nephos/db';
import pg from 'pg';
import { COMMANDER, type Configured, configurationFor, SOCKET_PORT, userLine } from './configuration.ts';

/** One run of PgBouncer. */
export interface Pgbouncer {
  /** The path of its socket. */
  socket: string;
  /** Lets these in from now on, by their verifiers, and nobody else. */
  admit(users: ReadonlyMap<string, string>): Promise<void>;
  /** Settles when it has ended, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface PgbouncerParts extends Omit<Configured, 'users'> {
  program: string;
  dataDir: string;
}

/** Beyond people and services, and below the accounts of Redis databases. */
const FIRST_ACCOUNT = 65_600;
const ACCOUNTS = 400;
/** Nothing of our own environment, where secrets may be, reaches it. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
const START_MS = 5000;
const POLL_MS = 20;
const STOP_MS = 2000;
const USERS = '../users';

const homeFor = (dataDir: string) => reachableFolder(join(dataDir, 'pooler'), 'pooler');

/** Ends the one that a killed console of this data folder left running. */
export async function clearPgbouncer(dataDir: string): Promise<void> {
  await endServerIn(join(homeFor(dataDir), 'run'), 'pgbouncer');
}

/** Starts PgBouncer, on a socket that only its account and root can reach. Throws where it does not take connections. */
export async function startPgbouncer({ program, dataDir, ...rest }: PgbouncerParts): Promise<Pgbouncer> {
  const home = homeFor(dataDir);
  const run = join(home, 'run');
  const account = anyAccount();
  makeFolders(home, run, account);
  await endServerIn(run, 'pgbouncer');
  rmSync(join(run, `.s.PGSQL.${SOCKET_PORT}`), { force: true });
  const password = randomBytes(24).toString('base64url');
  const writeUsers = (users: ReadonlyMap<string, string>) => {
    const lines = [...users].map(([name, verifier]) => userLine(name, verifier));
    writePrivately(join(home, 'users'), [userLine(COMMANDER, password), ...lines].join('\n'), account);
  };
  writeUsers(new Map());
  writePrivately(join(home, 'pgbouncer.ini'), configurationFor({ ...rest, users: USERS }), account);
  const { exited, stop } = launch(program, { home, run, account });
  let folder: HeldFolder | undefined;
  try {
    folder = await holdFolder(run, account);
    const sockets = folder;
    const socket = sockets.at(`.s.PGSQL.${SOCKET_PORT}`);
    const command = (text: string) => tell({ host: dirname(socket), password }, text);
    await untilReady(() => command('SHOW VERSION'), exited);
    void exited.then(() => sockets[Symbol.asyncDispose]());
    return {
      ...{ socket, exited, stop },
      async admit(users) {
        writeUsers(users);
        await command('RELOAD');
      },
    };
  } catch (error) {
    await stop();
    await folder?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** Another one at each start: no other console's has it, nor does anything that this machine runs as `nobody`. */
function anyAccount(): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const uid = FIRST_ACCOUNT + randomInt(ACCOUNTS);
  return { uid, gid: uid };
}

function makeFolders(home: string, run: string, account: Account | undefined): void {
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o711);
  mkdirSync(run, { recursive: true, mode: 0o700 });
  if (account) chownSync(run, account.uid, account.gid);
}

function launch(program: string, at: { home: string; run: string; account: Account | undefined }) {
  const child = spawn(program, ['../pgbouncer.ini'], {
    ...at.account,
    cwd: at.run,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C in the terminal must reach it after our own requests are done.
    detached: true,
  });
  const log = openRotatingLog(join(at.home, 'log'));
  child.stderr.on('data', (chunk: Buffer) => log.write(chunk)).once('close', () => log.close());
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  endWithUs(child);
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(timer);
  };
  return { exited, stop };
}

/** The last chance of a process that exits without having called `stop`. */
function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

async function untilReady(ask: () => Promise<void>, exited: Promise<void>): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  for (const deadline = performance.now() + START_MS; ; await wait(POLL_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (hasExited || performance.now() > deadline) {
        throw new Error('PgBouncer did not start; its log says why.', { cause: error });
      }
    }
  }
}

/** Gives a command on its socket. */
async function tell({ host, password }: { host: string; password: string }, command: string): Promise<void> {
  const place = { host, port: SOCKET_PORT, user: COMMANDER, password, database: 'pgbouncer' };
  const client = new pg.Client({ ...place, connectionTimeoutMillis: START_MS, query_timeout: START_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(command);
  } finally {
    await client.end().catch(() => {});
  }
}
