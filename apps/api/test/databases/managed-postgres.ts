import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import type {
  ServerSettings,
  SettingsRecords,
  StorageState,
} from '../../src/domains/databases/database-settings.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import type { ClusterRecords } from '../../src/domains/databases/engines/postgres/clusters/clusters.ts';
import { createPostgresEngine } from '../../src/domains/databases/engines/postgres/postgres-engine.ts';
import type { FindCertificate } from '../../src/http/tls-server.ts';
import { createSecretsBox } from '../../src/platform/secrets-box.ts';
import type { EngineUnderTest } from './database-engine-contract.ts';
import { openPostgres } from './postgres-session.ts';

export interface ManagedPostgres extends EngineUnderTest {
  /** The folder of the clusters, where we run them. */
  dataDir: string;
  /** The process of a database's own server; undefined while it sleeps. */
  pidOf(name: string): Promise<number | undefined>;
  /** How full databases became, in order. */
  storageStates: readonly StorageState[];
  /** A new database and its address. */
  make(): Promise<Credentials & { address: string }>;
}

interface Setup {
  certificateFor?: FindCertificate;
  /** Minutes, of all databases. */
  sleepAfter?: number | null;
  /** What was chosen for all databases; read at each look. */
  chosen?: Partial<ServerSettings>;
  /** A data folder that is there. */
  home?: string;
  /** Milliseconds that somebody waits for a server that starts. */
  patience?: number;
}

/** The PostgreSQL engine with a data folder of its own; `environment` as the server's. */
export async function startManagedPostgres(
  environment: Record<string, string> = {},
  { certificateFor = () => undefined, sleepAfter = 5, chosen = {}, home: given, patience }: Setup = {},
): Promise<ManagedPostgres> {
  const home = given ?? (await mkdtemp(join(tmpdir(), 'nephos-managed-')));
  await chmod(home, 0o711);
  const dataDir = join(home, 'databases');
  let said = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      said += chunk;
      done();
    },
  });
  const settings = readSettings({ DATA_DIR: home, MANAGED_POSTGRES_PORT: '0', ...environment });
  const databaseSettings = createMemorySettings(chosen);
  const engine = createPostgresEngine({
    databaseSettings,
    ...{ lookEvery: 50, patience },
    ...{ settings, log: pino({ level: 'trace' }, sink), records: createMemoryRecords(sleepAfter) },
    secrets: createSecretsBox(Buffer.alloc(32)),
    certificateFor,
  });
  await engine.start();
  return {
    engine,
    dataDir,
    storageStates: databaseSettings.states,
    connect: openPostgres,
    logged: async () => {
      const names = await readdir(dataDir).catch(() => []);
      const logs = names.map((name) => readFile(join(dataDir, name, 'log'), 'utf8').catch(() => ''));
      return said + (await Promise.all(logs)).join('');
    },
    async pidOf(name) {
      const lock = await readFile(join(dataDir, name, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
      return Number(lock.split('\n')[0]) || undefined;
    },
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

const GB = 1024 ** 3;

function createMemorySettings(
  storage: Partial<ServerSettings>,
): SettingsRecords & { states: StorageState[] } {
  const states: StorageState[] = [];
  return {
    states,
    settingsOf: async () => ({ storageLimit: 10 * GB, freeingUntil: null, sizeClass: 'small', ...storage }),
    async storageBecame(_name, state) {
      states.push(state);
    },
  };
}

function createMemoryRecords(minutes: number | null): ClusterRecords {
  return {
    told() {},
    sleepAfter: async (names) => new Map(names.map((name) => [name, minutes])),
    async settled() {},
  };
}
