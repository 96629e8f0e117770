import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Binaries } from './embedded-binaries.ts';
import { POSTGRES_ENVIRONMENT } from './embedded-cluster.ts';
import { readLock } from './embedded-leftover.ts';
import { openRotatingLog } from './rotating-log.ts';
import type { Account } from './unprivileged-account.ts';

/** Another program has the port that was asked for. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
}

/** One run of PostgreSQL. */
export interface RunningServer {
  pid: number;
  /** Ends the server within 10 s, its sessions with it. May be called again. */
  stop(): Promise<void>;
  /** Settles when the server has ended, for whatever reason; null when a signal ended it. */
  exited: Promise<number | null>;
}

export interface Launch {
  binaries: Binaries;
  /** Of the cluster's data, which belongs to `account`. */
  folder: string;
  account: Account | undefined;
  logFile: string;
  /** PostgreSQL's own, by name. */
  parameters: Readonly<Record<string, string | number>>;
  /** Gives the start up, which may take long where it recovers. */
  signal?: AbortSignal | undefined;
  /** It counts as ready once it can be asked, while it still recovers. */
  asStandby?: boolean;
}

type Server = ChildProcessByStdio<null, null, Readable>;

/** Milliseconds until a server says that it is starting; how long it recovers after that depends on its log. */
const START_MS = 60_000;
const STOP_MS = 7000;

/**
 * Starts a server on a cluster and waits until it takes connections, also through a long recovery. Throws `PortInUse`,
 * with its own last line, or what `signal` was aborted with.
 */
export async function launchPostgres({
  binaries,
  folder,
  account,
  logFile,
  parameters,
  signal,
  asStandby = false,
}: Launch): Promise<RunningServer> {
  signal?.throwIfAborted();
  const settings = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(binaries.postgres, ['-D', folder, ...settings], {
    ...account,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C in the terminal must reach it after our own requests are done.
    detached: true,
  });
  const exited = exitOf(server);
  endWithUs(server);
  const said = keepLog(server, logFile);
  await ready({ server, exited, folder, said, signal, asStandby });
  return { pid: server.pid ?? 0, stop: () => stop(server, exited), exited };
}

function exitOf(server: Server): Promise<number | null> {
  return new Promise((resolve) => {
    server.once('exit', (code) => resolve(code));
    server.once('error', () => resolve(null));
  });
}

const running = new Set<Server>();

/** The last chance of a process that exits without having called `stop`. */
function endWithUs(server: Server): void {
  if (running.size === 0) process.once('exit', endAll);
  running.add(server);
  server.once('close', () => {
    running.delete(server);
    if (running.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const server of running) server.kill('SIGINT');
}

interface Said {
  /** The last line, that of a fatal error first. */
  lastLine(): string;
  /** It could not listen on one of its addresses. */
  portInUse(): boolean;
}

function keepLog(server: Server, file: string): Said {
  const log = openRotatingLog(file);
  let tail = '';
  server.stderr.on('data', (chunk: Buffer) => {
    log.write(chunk);
    tail = (tail + chunk.toString()).slice(-2000);
  });
  server.stderr.once('close', () => log.close());
  server.once('error', (error) => {
    tail = error.message;
  });
  return {
    lastLine() {
      const lines = tail.trim().split('\n');
      const line = lines.findLast((candidate) => candidate.includes('FATAL')) ?? lines.at(-1) ?? '';
      return line.replace(/^.*FATAL:\s+/, '');
    },
    portInUse: () => /could not bind .*: Address already in use/.test(tail),
  };
}

interface Starting {
  server: Server;
  exited: Promise<number | null>;
  folder: string;
  said: Said;
  signal: AbortSignal | undefined;
  asStandby: boolean;
}

/** The last line of the lock file says `ready` when connections are taken: what pg_ctl waits for, too. */
async function ready({ server, exited, folder, said, signal, asStandby }: Starting): Promise<void> {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + START_MS;
  let starting = false;
  while (starting || Date.now() < deadline) {
    const lock = ((await readLock(folder)) ?? '').split('\n');
    const state = Number(lock[0]) === server.pid ? lock[7]?.trim() : undefined;
    if (state === 'ready' || (asStandby && state === 'standby')) return assertPort(server, exited, said);
    starting ||= state === 'starting' || state === 'standby';
    if (ended) {
      if (server.stderr.readable) await once(server.stderr, 'close');
      const message = `PostgreSQL failed to start: ${said.lastLine()}`;
      throw said.portInUse() ? new PortInUse(message) : new Error(message);
    }
    if (signal?.aborted) {
      await stop(server, exited);
      throw signal.reason;
    }
    await wait(5);
  }
  await stop(server, exited);
  throw new Error(`PostgreSQL was not ready within ${START_MS / 1000} s: ${said.lastLine()}`);
}

/** PostgreSQL is content with one address of several; on the others a client of ours would meet a stranger. */
async function assertPort(server: Server, exited: Promise<number | null>, said: Said): Promise<void> {
  // What it wrote before it was ready is in the pipe by now, and read within one turn.
  await wait(0);
  if (!said.portInUse()) return;
  await stop(server, exited);
  throw new PortInUse('PostgreSQL failed to start: its port is in use on one of its addresses');
}

async function stop(server: Server, exited: Promise<number | null>): Promise<void> {
  // SIGINT ends sessions and writes a checkpoint; SIGQUIT gives that up, and costs a recovery at the next start.
  server.kill('SIGINT');
  const timer = setTimeout(() => server.kill('SIGQUIT'), STOP_MS);
  const last = setTimeout(() => server.kill('SIGKILL'), STOP_MS + 2000);
  await exited;
  clearTimeout(timer);
  clearTimeout(last);
}
