import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDb, createPool, type Database, migrate } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { SettingError, type Settings } from '../core/settings.ts';
import { keepPostgres } from './kept-postgres.ts';

const CONNECT_MS = 30_000;

/** PostgreSQL for our own data. */
export interface OwnDatabase {
  url: string;
  db: Kysely<Database>;
  close(): Promise<void>;
}

/** Host and port, or the folder of a Unix socket. */
function serverOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? decodeURIComponent(host);
}

async function waitForServer(db: Kysely<Database>, url: string): Promise<void> {
  const deadline = Date.now() + CONNECT_MS;
  for (;;) {
    try {
      await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new SettingError(`DATABASE_URL ${serverOf(url)} cannot be used: ${reason}`);
      }
      await wait(500);
    }
  }
}

/** Opens the database of `DATABASE_URL`, or the embedded one, with every migration applied. */
export async function openOwnDatabase(settings: Settings, log: Logger): Promise<OwnDatabase> {
  const embedded = settings.databaseUrl
    ? undefined
    : await keepPostgres({ dataDir: join(settings.dataDir, 'pg') }, log);
  const url = settings.databaseUrl ?? embedded?.url ?? '';
  const db = createDb(
    createPool({ url, onError: (error) => log.warn({ reason: error.message }, 'database connection lost') }),
  );
  const close = async () => {
    await db.destroy();
    await embedded?.stop();
  };
  try {
    await waitForServer(db, url);
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, db, close };
}
