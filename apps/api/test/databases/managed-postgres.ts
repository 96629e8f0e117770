import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import { createPostgresEngine } from '../../src/domains/databases/engines/postgres/postgres-engine.ts';
import type { EngineUnderTest } from './database-engine-contract.ts';
import { openPostgres } from './postgres-session.ts';

export interface ManagedPostgres extends EngineUnderTest {
  /** The folder of the cluster, where we run it. */
  dataDir: string;
  /** A new database and its address. */
  make(): Promise<Credentials & { address: string }>;
}

/** The PostgreSQL engine with a data folder of its own; `environment` as the server's. */
export async function startManagedPostgres(
  environment: Record<string, string> = {},
): Promise<ManagedPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'nephos-managed-'));
  await chmod(home, 0o711);
  const dataDir = join(home, 'managed-pg');
  let said = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      said += chunk;
      done();
    },
  });
  const settings = readSettings({ DATA_DIR: home, MANAGED_POSTGRES_PORT: '0', ...environment });
  const engine = createPostgresEngine({ settings, log: pino({ level: 'trace' }, sink) });
  await engine.start();
  return {
    engine,
    dataDir,
    connect: openPostgres,
    logged: async () => said + (await readFile(`${dataDir}.log`, 'utf8').catch(() => '')),
    async make() {
      const credentials = newCredentials();
      await engine.create(credentials);
      return { ...credentials, address: engine.connectionString(credentials) };
    },
    async close() {
      await engine.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
