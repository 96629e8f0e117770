import type { ManagedDatabase } from '@nephos/contracts';
import type { Logger } from 'pino';
import type { Settings } from '../../../env.ts';
import type { DatabaseEngine } from './engine.ts';
import { createMongodbEngine } from './mongodb-engine.ts';
import { createMysqlEngine } from './mysql-engine.ts';
import { createPostgresEngine } from './postgres-engine.ts';

/** What an engine is made of. */
export interface EngineDeps {
  settings: Settings;
  log: Logger;
}

/** The server of each type of database. */
export type DatabaseEngines = Readonly<Record<ManagedDatabase['type'], DatabaseEngine>>;

export function createDatabaseEngines(deps: EngineDeps): DatabaseEngines {
  return {
    postgresql: createPostgresEngine(deps),
    mysql: createMysqlEngine(deps),
    mongodb: createMongodbEngine(deps),
  };
}

/** Brings up the servers that have databases already; what cannot start says so by `unavailable`. */
export async function startDatabaseEngines(engines: DatabaseEngines): Promise<void> {
  await Promise.all(Object.values(engines).map((engine) => engine.start()));
}

export async function stopDatabaseEngines(engines: DatabaseEngines): Promise<void> {
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
}
