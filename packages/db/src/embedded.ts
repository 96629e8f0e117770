import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type Binaries, findBinaries } from './embedded-binaries.ts';
import { type Cluster, openCluster, POSTGRES_ENVIRONMENT, writeAccessRules } from './embedded-cluster.ts';
import { clearLeftover, readLock } from './embedded-leftover.ts';
import { parametersOf, type ServerSettings } from './embedded-settings.ts';
import { openRotatingLog } from './rotating-log.ts';

export { hasCluster } from './embedded-cluster.ts';

export interface EmbeddedOptions {
  /** Where the cluster lives; made when absent. Beside it come `<dataDir>.password` and `<dataDir>.log`. */
  dataDir: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** false gives up crash safety for speed: for data that is thrown away. */
  durable?: boolean;
  /** The superuser's; by default one is made and kept beside the data. */
  password?: string;
  /** Addresses beside 127.0.0.1; `0.0.0.0` is all of IPv4, `::` all. */
  listen?: readonly string[];
  /** Lines of pg_hba.conf; by default every role may come from loopback, with its password. */
  accessRules?: readonly string[];
  /** PostgreSQL's own parameters by name, over those of `parametersOf`. */
  parameters?: Readonly<Record<string, string | number>>;
}

/** Another program has the port that was asked for. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
}

export interface EmbeddedPostgres {
  /** Address of the database `postgres` as superuser. It carries the password: never log it. */
  url: string;
  port: number;
  pid: number;
  /** Ends the server within 10 s, its sessions with it. May be called again. */
  stop(): Promise<void>;
  /** Settles when the server has ended, for whatever reason; null when a signal ended it. */
  exited: Promise<number | null>;
}

type Server = ChildProcessByStdio<null, null, Readable>;

const START_MS = 60_000;
const STOP_MS = 7000;
const PORT_ATTEMPTS = 5;

/**
 * Starts the PostgreSQL that the platform package brings and waits until it takes connections: on loopback, and where
 * else `listen` says. Recovers from an earlier start that was killed. Throws `PortInUse`, or with PostgreSQL's own
 * last line.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, port = 0, durable = true, password, listen = [], accessRules, parameters = {} } = options;
  const binaries = findBinaries();
  const cluster = await openCluster(binaries, { dataDir, durable, password });
  await clearLeftover(cluster.folder);
  if (accessRules) writeAccessRules(cluster, accessRules);
  for (let attempt = 1; ; attempt++) {
    try {
      const settings = { port: port || (await freePort()), durable, listen, parameters };
      return await launch(binaries, cluster, settings);
    } catch (error) {
      // Another program may take the free port in the moment before PostgreSQL does.
      if (port !== 0 || !(error instanceof PortInUse) || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function launch(
  binaries: Binaries,
  cluster: Cluster,
  settings: ServerSettings,
): Promise<EmbeddedPostgres> {
  const { port } = settings;
  const parameters = Object.entries(parametersOf(settings)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const server = spawn(binaries.postgres, ['-D', cluster.folder, ...parameters], {
    ...cluster.account,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C in the terminal must reach it after our own requests are done.
    detached: true,
  });
  const exited = exitOf(server);
  endWithUs(server);
  const said = keepLog(server, `${cluster.folder}.log`);
  await ready({ server, exited, folder: cluster.folder, said });
  return {
    url: `postgres://postgres:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/postgres`,
    port,
    pid: server.pid ?? 0,
    stop: () => stop(server, exited),
    exited,
  };
}

function exitOf(server: Server): Promise<number | null> {
  return new Promise((resolve) => {
    server.once('exit', (code) => resolve(code));
    server.once('error', () => resolve(null));
  });
}

/** The last chance of a process that exits without having called `stop`. */
function endWithUs(server: Server): void {
  const end = () => server.kill('SIGINT');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
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
}

/** The last line of the lock file says `ready` when connections are taken: what pg_ctl waits for, too. */
async function ready({ server, exited, folder, said }: Starting): Promise<void> {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const lock = ((await readLock(folder)) ?? '').split('\n');
    if (Number(lock[0]) === server.pid && lock[7]?.trim() === 'ready')
      return assertPort(server, exited, said);
    if (ended) {
      if (server.stderr.readable) await once(server.stderr, 'close');
      const message = `PostgreSQL failed to start: ${said.lastLine()}`;
      throw said.portInUse() ? new PortInUse(message) : new Error(message);
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
