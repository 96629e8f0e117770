import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openRotatingLog, writePrivately } from '@nephos/db';
import { isLoopbackHost } from '../../../../core/env.ts';
import { LOOPBACK } from '../listening.ts';
import { LOG_FILE_SIZE, MARIADB_ENVIRONMENT, type MariadbHome } from './mariadb-home.ts';
import type { MariadbPrograms } from './mariadb-programs.ts';
import { tlsOptions } from './mariadb-tls.ts';

/** One run of the private server. */
export interface MariadbServer {
  port: number;
  pid: number;
  /** Settles when it has ended, for whatever reason. */
  exited: Promise<void>;
  /** Ends it within 10 s, its sessions with it. May be called again. */
  stop(): Promise<void>;
}

export interface Launch {
  programs: MariadbPrograms;
  home: MariadbHome;
  /** Address to listen on beside loopback. */
  host: string;
  port: number;
  /** Whether there is a certificate in its home. */
  hasCertificate: boolean;
}

type Server = ChildProcessByStdio<null, null, Readable>;

/** Longer than a recovery of a full write-ahead log takes. */
const START_MS = 60_000;
const STOP_MS = 8000;

/** Starts the server and waits until it takes connections. Throws with MariaDB's own first error. */
export async function launchMariadb({ programs, home, ...how }: Launch): Promise<MariadbServer> {
  const initFile = join(home.folder, 'init.sql');
  writePrivately(initFile, initialStatements(home.password), home.account);
  const server = spawn(programs.server, optionsFor({ home, initFile, ...how }), {
    ...home.account,
    cwd: '/',
    env: MARIADB_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C in the terminal must reach it after our own requests are done.
    detached: true,
  });
  const exited = exitOf(server);
  endWithUs(server);
  try {
    await ready(server, join(home.folder, 'log'));
  } catch (error) {
    await stop(server, exited);
    throw error;
  } finally {
    rmSync(initFile, { force: true });
  }
  return { port: how.port, pid: server.pid ?? 0, exited, stop: () => stop(server, exited) };
}

/**
 * Run before connections are taken, at each start: one administrator, who comes from this machine with the password
 * that we keep, and nobody without a name.
 */
function initialStatements(password: string): string {
  return [
    `DELETE FROM mysql.global_priv WHERE User = '' OR User = 'root' AND Host <> '127.0.0.1';`,
    'FLUSH PRIVILEGES;',
    `CREATE USER IF NOT EXISTS 'root'@'127.0.0.1';`,
    // The password is ours, of letters, digits, `-` and `_`.
    `ALTER USER 'root'@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;`,
  ].join('\n');
}

interface Options extends Omit<Launch, 'programs'> {
  initFile: string;
}

/** For a small server whose users do not trust each other. `--no-defaults` has to come first. */
function optionsFor({ home, host, port, initFile, hasCertificate }: Options): string[] {
  return [
    '--no-defaults',
    `--datadir=${home.data}`,
    `--init-file=${initFile}`,
    `--bind-address=${bindAddress(host)}`,
    `--port=${port}`,
    '--socket=',
    `--pid-file=${join(home.data, 'pid')}`,
    `--tmpdir=${join(home.folder, 'tmp')}`,
    `--secure-file-priv=${join(home.folder, 'files')}`,
    '--local-infile=0',
    '--skip-symbolic-links',
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--default-time-zone=+00:00',
    '--lc-messages=en_US',
    '--max-connections=300',
    `--innodb-log-file-size=${LOG_FILE_SIZE}`,
    // One session cannot take the machine's memory for itself, nor lift this bound.
    '--max-session-mem-used=256M',
    '--maximum-max-session-mem-used=256M',
    ...(hasCertificate ? tlsOptions(home) : []),
  ];
}

/** Loopback is always there: the administrator comes from it. The addresses that mean all of them include it. */
function bindAddress(host: string): string {
  if (isLoopbackHost(host)) return LOOPBACK;
  return host === '0.0.0.0' || host === '::' ? host : `${LOOPBACK},${host}`;
}

function exitOf(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.once('error', () => resolve());
  });
}

/** The last chance of a process that exits without having called `stop`. */
function endWithUs(server: Server): void {
  const end = () => server.kill('SIGTERM');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
}

/** Keeps the server's log in `logFile`, and waits for the line in it that says that connections are taken. */
async function ready(server: Server, logFile: string): Promise<void> {
  const log = openRotatingLog(logFile);
  server.stderr.once('close', () => log.close());
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`MySQL did not start: ${reason}`));
    const timer = setTimeout(() => fail(`it was not ready within ${START_MS / 1000} s`), START_MS);
    const settle = (done: () => void) => {
      clearTimeout(timer);
      server.stderr.off('data', listen);
      done();
    };
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
      if (said.includes(': ready for connections.')) settle(resolve);
    };
    server.stderr.on('data', (chunk: Buffer) => log.write(chunk));
    server.stderr.on('data', listen);
    server.once('error', (error) => settle(() => fail(error.message)));
    // `close`, not `exit`: when all that it said has arrived.
    server.once('close', () => settle(() => fail(firstError(said))));
  });
}

function firstError(said: string): string {
  return /\[ERROR\] (.*)/.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
}

async function stop(server: Server, exited: Promise<void>): Promise<void> {
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}
