import { buildApp } from './app.ts';
import { readSettings, SettingError } from './core/env.ts';
import { createTlsServer } from './http/tls-server.ts';
import { takeDataFolder } from './platform/data-folder.ts';
import { createLog } from './platform/log.ts';
import { openOwnDatabase } from './platform/own-database.ts';
import { createServer } from './server.ts';

const STOP_MS = 10_000;

/** Ends the process with one line on standard error, for what the person who starts it can put right. */
function explainFailure(error: unknown): never {
  const known = error instanceof SettingError || (error instanceof Error && 'code' in error);
  const message =
    error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`Nephos cannot start: ${message}\n`);
  process.exit(1);
}

/** Takes the port that a setting names. Throws `SettingError` where that cannot be. */
async function listen(
  server: { listen: (at: { host: string; port: number }) => Promise<unknown> },
  { name, host, port }: { name: 'PORT' | 'HTTPS_PORT'; host: string; port: number },
): Promise<void> {
  try {
    await server.listen({ host, port });
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
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel);
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
    const { host, port, httpsPort } = settings;
    await listen(app, { name: 'PORT', host, port });
    const tls = createTlsServer({ ...server, server: app.server });
    undoSteps.push(tls.close);
    if (httpsPort !== 0) await listen(tls, { name: 'HTTPS_PORT', host, port: httpsPort });
    // The console refuses new requests at once while builds and apps come to their end beside it.
    undoSteps.push(async () => {
      await Promise.all([tls.close(), app.close(), server.end()]);
    });
    await server.begin();
    process.stdout.write(`Nephos is ready at ${settings.publicUrl.origin}\n`);
  } catch (error) {
    if (stopping) return;
    await undo(undoSteps, report);
    explainFailure(error);
  }
}

start().catch(explainFailure);
