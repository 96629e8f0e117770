import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { buildApp } from './app.ts';
import { readSettings } from './core/env.ts';
import { SettingError } from './core/settings.ts';
import { createTlsServer } from './http/tls-server.ts';
import { takeDataFolder } from './platform/data-folder.ts';
import { assertAnswered, assertPlace, readInheritedSockets } from './platform/inherited-sockets.ts';
import { createLog } from './platform/log.ts';
import { openOwnDatabase } from './platform/own-database.ts';
import { systemCalls } from './platform/system-calls.ts';
import { startWatchdog } from './platform/watchdog.ts';
import { createServer } from './server.ts';
import { forgetRestarts } from './upgrade/service.ts';

const STOP_MS = 10_000;
/** What those who were let in last get to say what they want. */
const LET_IN_MS = 500;
const TRIM_MS = 60_000;
/** Percent: at 10, lists of projects come at three quarters of their speed, and at 15 as fast as without a bound. */
const HEAP_GROWS_BY = 15;

/** Ends the process with one line on standard error, for what the person who starts it can put right. */
function explainFailure(error: unknown): never {
  const known = error instanceof SettingError || (error instanceof Error && 'code' in error);
  const message =
    error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`Nephos cannot start: ${message}\n`);
  // A version that was upgraded to is not to blame for a setting, nor for a database that is away.
  if (error instanceof SettingError && process.env.NEPHOS_HOME) forgetRestarts();
  process.exit(1);
}

interface ListenAt {
  host: string;
  port: number;
  /** Of an inherited socket. */
  fd?: number | undefined;
}

interface Listener {
  listen(at: ListenAt): Promise<unknown>;
  address(): string | AddressInfo | null;
}

/** Takes the port that a setting names, or the socket that listens there. Throws `SettingError` where that cannot be. */
async function listen(
  server: Listener,
  { name, host, port, fd }: ListenAt & { name: 'PORT' | 'HTTPS_PORT' },
): Promise<void> {
  try {
    // Without a host, the HTTP server would look one up, and listen more than once.
    await server.listen(fd === undefined ? { host, port } : { host: '', port, fd });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE')
      throw new SettingError(`${name} ${port} on ${host} is in use by another program`);
    if (code === 'EACCES')
      throw new SettingError(`${name} ${port} on ${host} isn't permitted for this account`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new SettingError(`HOST ${host} is not an address of this machine`);
    }
    throw error;
  }
  const address = server.address();
  if (fd !== undefined && typeof address === 'object' && address) assertPlace({ name, host, port }, address);
}

/** The allocator keeps what was freed: up to 25 MB after a start, and some more after many transfers. */
async function keepMemoryTrimmed(): Promise<void> {
  const system = await systemCalls();
  if (!system) return;
  system.trimMemory();
  setInterval(() => system.trimMemory(), TRIM_MS).unref();
}

type Step = () => Promise<void> | void;

/** Undoes steps, the latest first, and goes on when one fails. */
async function undo(steps: Step[], onError: (error: unknown) => void): Promise<void> {
  for (const step of steps.toReversed()) {
    try {
      await step();
    } catch (error) {
      onError(error);
    }
  }
}

async function start(): Promise<void> {
  const inherited = readInheritedSockets(process.env, process.pid);
  const settings = { ...readSettings(process.env), inherited };
  assertAnswered(inherited, settings);
  const log = createLog(settings.logLevel);
  startWatchdog(process.env.NOTIFY_SOCKET, log);
  const undoSteps: Step[] = [];
  const report = (error: unknown) => log.error({ err: error }, 'part of the shutdown failed');

  let stopping: Promise<void> | undefined;
  const stop = (reason: string) => {
    if (stopping) return;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), STOP_MS).unref();
    stopping = undo(undoSteps, report).then(() => process.exit(0));
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('disconnect', () => stop('the parent process exited'));
  process.on('unhandledRejection', (error) => log.fatal({ err: error }, 'unhandled rejection'));

  try {
    undoSteps.push(takeDataFolder(settings.dataDir));
    const own = await openOwnDatabase(settings, log);
    undoSteps.push(own.close);
    const server = await createServer(settings, log, own);
    undoSteps.push(server.close);
    const app = await buildApp(server);
    // After many requests, V8 would let what nobody needs grow as large as all else before it looks for it.
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWS_BY}`);
    // A fifth of the memory is what only the start needed: all sources with their types, and functions that ran once.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
    const { host, port, httpsPort } = settings;
    const http: Listener = { listen: (at) => app.listen(at), address: () => app.server.address() };
    await listen(http, { name: 'PORT', host, port, fd: inherited.http });
    const tls = createTlsServer({ ...server, server: app.server });
    undoSteps.push(tls.close);
    if (httpsPort !== 0)
      await listen(tls, { name: 'HTTPS_PORT', host, port: httpsPort, fd: inherited.https });
    // The console refuses new requests at once while builds and apps come to their end beside it.
    undoSteps.push(async () => {
      if (inherited.http !== undefined || inherited.https !== undefined) {
        // Whoever comes now is for the next process, which finds them at the sockets.
        app.server.close();
        tls.stopListening();
        await wait(LET_IN_MS);
      }
      await Promise.all([tls.close(), app.close(), server.end()]);
    });
    await server.begin();
    process.stdout.write(`Nephos is ready at ${settings.publicUrl.origin}\n`);
    await keepMemoryTrimmed();
  } catch (error) {
    if (stopping) return;
    await undo(undoSteps, report);
    explainFailure(error);
  }
}

start().catch(explainFailure);
