import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endServerIn } from '@nephos/db';
import type { Logger } from 'pino';
import type { KeyPair } from '../../../certificates/own-certificates.ts';
import { LOOPBACK } from '../listening.ts';
import { hasKeptDumps } from './kept-dumps.ts';
import {
  isMariadbHome,
  type MariadbHome,
  mariadbFolder,
  openMariadbHome,
  rememberedPort,
  rememberPort,
} from './mariadb-home.ts';
import type { MariadbPrograms } from './mariadb-programs.ts';
import { launchMariadb, type MariadbServer } from './mariadb-server.ts';
import { placeCertificate } from './mariadb-tls.ts';

const RESTART_MS = 500;
const RETRY_MS = 30_000;
const LOOK_MS = 60_000;

/** Above MySQL's own, and below the ports that systems give to outgoing connections. */
const FIRST_PORT = 3307;
const LAST_PORT = 3407;

/** What the server says itself names folders of this machine, so it stays in our log. */
const NOT_STARTED =
  'The server could not be started. See the Nephos log, or set MANAGED_MYSQL_URL to use another server.';

/** A MariaDB of our own under the data folder, kept running from when it is first needed. */
export interface PrivateMariadb {
  /** Whether it was needed before. */
  exists(): boolean;
  /** The administrator's address, once connections are taken. Starts the server, and makes it the first time. */
  url(): Promise<string>;
  /** The same at every start. Throws where it was never started. */
  port(): number;
  /** Why databases cannot be made at the moment, for a person; null when they can. */
  failure(): string | null;
  stop(): Promise<void>;
}

interface Running {
  url: string;
  server: MariadbServer;
  home: MariadbHome;
  /** Of the certificate that it has; undefined: it takes no TLS. */
  chain: string | undefined;
  /** Whether it is ended for another start. */
  isReplaced?: boolean;
}

export interface PrivateMariadbOptions {
  dataDir: string;
  programs: MariadbPrograms;
  /** Address to listen on beside loopback; itself loopback when this machine's clients are all there are. */
  host: string;
  /** What clients are shown; undefined while there is none. */
  certificate?: (() => KeyPair | undefined) | undefined;
  /** Has the server at this address read its certificate anew. */
  reload(url: string): Promise<void>;
  hasClients(url: string): Promise<boolean>;
  /** Loads what a restore has kept for the server at this address, see `hasKeptDumps`. */
  load(url: string, folder: string): Promise<void>;
  log: Logger;
  /** Milliseconds between two looks at the certificate; by default a minute. */
  lookEvery?: number | undefined;
}

export function createPrivateMariadb(options: PrivateMariadbOptions): PrivateMariadb {
  const { dataDir, programs, host, log, reload, hasClients, load, lookEvery = LOOK_MS } = options;
  const folder = mariadbFolder(dataDir);
  let life = new AbortController();
  let running: Promise<Running> | undefined;
  let failure: string | null = null;
  let retry: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;

  /** Without one that can be used, the databases are there all the same. */
  function certificate(): KeyPair | undefined {
    try {
      return options.certificate?.();
    } catch (error) {
      log.error({ err: error }, 'the certificate of MySQL could not be used');
      return undefined;
    }
  }

  /** Gives the server a certificate that is new. To take its first one it has to start again, which waits for clients. */
  async function renew(): Promise<void> {
    const now = await running;
    const found = certificate();
    if (!now || !found || found.chain === now.chain) return;
    if (now.chain !== undefined) {
      placeCertificate(now.home, found);
      await reload(now.url);
      now.chain = found.chain;
    } else if (!(await hasClients(now.url)) && !life.signal.aborted) {
      now.isReplaced = true;
      running = now.server.stop().then(begin);
      await running;
    }
  }

  function lookOn(): void {
    clearTimeout(looking);
    if (!options.certificate) return;
    const { signal } = life;
    looking = setTimeout(async () => {
      await renew().catch((error) => log.warn({ err: error }, 'MySQL could not take its certificate'));
      if (!signal.aborted) lookOn();
    }, lookEvery).unref();
  }

  /** One start. After one that failed the next caller tries again, or a timer does. */
  async function begin(): Promise<Running> {
    const { signal } = life;
    clearTimeout(retry);
    try {
      const started = await startMariadb({ folder, programs, host, load, pair: certificate() });
      failure = null;
      lookOn();
      void started.server.exited.then(() => {
        if (signal.aborted || started.isReplaced) return;
        log.error('MySQL ended unexpectedly; starting it again');
        running = wait(RESTART_MS, undefined, { signal }).then(begin);
        running.catch(() => {});
      });
      return started;
    } catch (error) {
      failure = NOT_STARTED;
      log.error({ err: error }, 'MySQL did not start');
      running = undefined;
      if (!signal.aborted) retry = setTimeout(() => void url().catch(() => {}), RETRY_MS).unref();
      throw new Error(NOT_STARTED);
    }
  }

  async function url(): Promise<string> {
    running ??= begin();
    return (await running).url;
  }

  return {
    exists: () => isMariadbHome(folder) || hasKeptDumps(folder),
    url,
    port() {
      const port = rememberedPort(folder);
      if (!port) throw new Error('MySQL was never started');
      return port;
    },
    failure: () => failure,
    async stop() {
      life.abort();
      clearTimeout(retry);
      clearTimeout(looking);
      const last = await running?.catch(() => undefined);
      await last?.server.stop();
      life = new AbortController();
      running = undefined;
    },
  };
}

interface Start extends Pick<PrivateMariadbOptions, 'programs' | 'host' | 'load'> {
  folder: string;
  pair: KeyPair | undefined;
}

async function startMariadb({ folder, programs, host, load, pair }: Start): Promise<Running> {
  // First of all: a server that a killed start left behind works in the same files.
  await endServerIn(join(folder, 'data'), 'mariadbd');
  const home = await openMariadbHome(folder, programs);
  if (pair) placeCertificate(home, pair);
  const hasCertificate = pair !== undefined;
  const launch = (port: number) => launchMariadb({ programs, home, host, port, hasCertificate });
  const kept = rememberedPort(folder);
  const server = kept ? await launch(kept) : await withFreePort(launch);
  if (!kept) rememberPort(home, server.port);
  const url = `mysql://root:${home.password}@${LOOPBACK}:${server.port}/`;
  try {
    if (hasKeptDumps(folder)) await load(url, folder);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { server, home, url, chain: pair?.chain };
}

/** Calls `work` with free ports one after the other, until it does not reject because another program took it. */
async function withFreePort<T>(work: (port: number) => Promise<T>): Promise<T> {
  for (let port = FIRST_PORT; port <= LAST_PORT; port++) {
    if (!(await isFree(port))) continue;
    try {
      return await work(port);
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Address already in use');
      if (!taken) throw error;
    }
  }
  throw new Error(`MySQL did not start: every port from ${FIRST_PORT} to ${LAST_PORT} is in use`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, LOOPBACK, () => probe.close(() => resolve(true)));
  });
}
