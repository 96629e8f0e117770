import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createPostgresEngine } from '../src/domains/databases/engines/postgres-engine.ts';
import { readSettings } from '../src/env.ts';
import { databaseEngineContract, type EngineUnderTest } from './database-engine-contract.ts';
import { openPostgres } from './postgres-session.ts';

async function embedded(): Promise<EngineUnderTest> {
  const home = await mkdtemp(join(tmpdir(), 'nephos-managed-'));
  await chmod(home, 0o711);
  let said = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      said += chunk;
      done();
    },
  });
  const log = pino({ level: 'trace' }, sink);
  const settings = readSettings({ DATA_DIR: home, MANAGED_POSTGRES_PORT: '0' });
  const engine = createPostgresEngine({ settings, log });
  await engine.start();
  return {
    engine,
    connect: openPostgres,
    logged: async () => said + (await readFile(join(home, 'managed-pg.log'), 'utf8')),
    async close() {
      await engine.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

databaseEngineContract('embedded PostgreSQL', embedded);
