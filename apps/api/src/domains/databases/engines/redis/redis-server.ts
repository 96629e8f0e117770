import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endServerIn, type HeldFolder, holdFolder, openRotatingLog } from '@nephos/db';
import { type Ask, openRedis } from './redis-client.ts';
import {
  ADMINISTRATOR,
  addressSpace,
  hashOf,
  type InstanceSettings,
  redisConfig,
  SOCKET,
} from './redis-config.ts';
import type { RedisHome } from './redis-home.ts';
import type { RedisPrograms } from './redis-programs.ts';
import { Refusal } from './resp.ts';

const run = promisify(execFile);

/** One run of an instance. */
export interface RedisServer {
  /** Path of its socket, for as long as it runs. */
  socket(): string;
  /** Does something there as its administrator. */
  administer<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /** Bounds anew what its process may take. */
  limit(memory: number): Promise<void>;
  /** Settles when it has ended, for whatever reason. */
  exited: Promise<void>;
  /** Ends it within 10 s, its sessions with it. May be called again. */
  stop(): Promise<void>;
  /** The same at once, for one that takes no orders. What it acknowledged is stored. */
  kill(): Promise<void>;
}

export interface Launch {
  programs: RedisPrograms;
  home: RedisHome;
  name: string;
  settings: InstanceSettings;
  /** Ends it while it starts. */
  signal: AbortSignal;
}

type Server = ChildProcessByStdio<Writable, Readable, null>;

/** Nothing of our own environment, where secrets may be, reaches it. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
/** Without a word that it loads what it had stored, which takes as long as it takes. */
const START_MS = 60_000;
const STOP_MS = 8000;
const POLL_MS = 20;

/** Starts an instance and waits until it answers. Ends first what a killed process of ours left running in it. */
export async function launchRedis({ programs, home, name, settings, signal }: Launch): Promise<RedisServer> {
  await endServerIn(home.data, programs.processName);
  rmSync(join(home.run, SOCKET), { force: true });
  const password = randomBytes(24).toString('base64url');
  const server = spawn(...commandFor(programs, settings), {
    ...home.account,
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
    // Its own process group: Ctrl-C in the terminal must reach it after our own requests are done.
    detached: true,
  });
  const exited = exitOf(server);
  endWithUs(server);
  const said = keepLog(server, home.log);
  server.stdin.on('error', () => {});
  server.stdin.end(
    `${redisConfig({ name, data: home.data, settings, administratorHash: hashOf(password) })}\n`,
  );
  let sockets: HeldFolder | undefined;
  try {
    sockets = await holdFolder(home.run, home.account);
    const path = sockets.at(SOCKET);
    await answering(path, { password, exited, said, signal });
    void exited.then(() => sockets?.[Symbol.asyncDispose]());
    return {
      socket: () => path,
      administer: (work) => administer(path, password, work),
      async limit(memory) {
        const { prlimit } = programs;
        // By its own account, which may do that to its own processes wherever we are.
        const options = { ...home.account, cwd: '/', env: ENVIRONMENT };
        if (prlimit) await run(prlimit, [`--pid=${server.pid}`, limitOf(memory)], options);
      },
      exited,
      stop: () => stop(server, exited),
      async kill() {
        server.kill('SIGKILL');
        await exited;
      },
    };
  } catch (error) {
    await stop(server, exited);
    await sockets?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** Alone the soft limit: what we set, we can raise when its database gets more memory. */
const limitOf = (memory: number) => `--as=${addressSpace(memory)}:`;

function commandFor(
  { server, prlimit }: RedisPrograms,
  { memory, room = memory }: InstanceSettings,
): [string, string[]] {
  return prlimit ? [prlimit, [limitOf(room), '--core=0', '--', server, '-']] : [server, ['-']];
}

async function administer<T>(path: string, password: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { ask, close } = openRedis({ path });
  try {
    await ask('AUTH', ADMINISTRATOR, password);
    return await work(ask);
  } finally {
    close();
  }
}

interface Starting extends Pick<Launch, 'signal'> {
  password: string;
  exited: Promise<void>;
  said(): string;
}

/** Resolves once what it had stored is loaded. */
async function answering(path: string, { password, exited, said, signal }: Starting): Promise<void> {
  let deadline = Date.now() + START_MS;
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  for (;;) {
    try {
      await administer(path, password, (ask) => ask('PING'));
      return;
    } catch (error) {
      if (error instanceof Refusal) {
        if (!error.message.startsWith('LOADING')) throw error;
        deadline = Date.now() + START_MS;
      }
    }
    signal.throwIfAborted();
    if (isOver) throw new Error(`Redis did not start: ${said()}`);
    if (Date.now() > deadline) throw new Error(`Redis was not ready within ${START_MS / 1000} s`);
    await wait(POLL_MS);
  }
}

function exitOf(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once('close', () => resolve());
    server.once('error', () => resolve());
  });
}

const living = new Set<Server>();

/** The last chance of a process that exits without having called `stop`. */
function endWithUs(server: Server): void {
  if (living.size === 0) process.once('exit', endAll);
  living.add(server);
  server.once('exit', () => {
    living.delete(server);
    if (living.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const server of living) server.kill('SIGTERM');
}

/** Keeps what the server says in `logFile`; the answer is its last lines. */
function keepLog(server: Server, logFile: string): () => string {
  const log = openRotatingLog(logFile);
  let said = '';
  server.stdout.on('data', (chunk: Buffer) => {
    log.write(chunk);
    said = (said + chunk.toString()).slice(-1000);
  });
  server.stdout.once('close', () => log.close());
  return () => said.trim().split('\n').slice(-3).join(' ');
}

async function stop(server: Server, exited: Promise<void>): Promise<void> {
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}
