import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDb, createPool, type Database } from '@nephos/db';
import { addressOfRunning, hasCluster, startEmbeddedPostgres } from '@nephos/db/embedded';
import type { Kysely } from 'kysely';
import { SettingError, type Settings } from '../core/settings.ts';
import { takeDataFolder } from '../platform/data-folder.ts';

/** An installation that is there, whether its server runs or not. */
export interface Installation {
  /** Of its own data. It carries the password: never log it. */
  url: string;
  db: Kysely<Database>;
  close(): Promise<void>;
}

/** Reaches an installation's own data. Throws `SettingError` where there is none. */
export async function openInstallation(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
): Promise<Installation> {
  if (settings.databaseUrl) return reach(settings.databaseUrl, async () => {});
  const pg = join(settings.dataDir, 'pg');
  if (!existsSync(settings.dataDir) || !hasCluster(pg)) {
    throw new SettingError(`There is no installation in DATA_DIR ${settings.dataDir}.`);
  }
  const running = await addressOfRunning(pg);
  if (running) return reach(running, async () => {});
  // Nobody may start it meanwhile.
  const release = takeDataFolder(settings.dataDir);
  try {
    const server = await startEmbeddedPostgres({ dataDir: pg });
    return reach(server.url, async () => {
      await server.stop();
      release();
    });
  } catch (error) {
    release();
    throw error;
  }
}

function reach(url: string, end: () => Promise<void>): Installation {
  const db = createDb(createPool({ url, max: 2, name: 'nephos backup' }));
  return {
    url,
    db,
    async close() {
      await db.destroy();
      await end();
    },
  };
}
