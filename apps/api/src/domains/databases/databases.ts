import type { contract } from '@nephos/contracts';
import type { FindCertificate } from '../../http/tls-server.ts';
import type { Platform } from '../../platform/platform.ts';
import type { OwnCertificates } from '../certificates/own-certificates.ts';
import type { Domain } from '../domain.ts';
import { followDatabases } from './changes.ts';
import { createClusterRecords } from './cluster-records.ts';
import { readConnection, rotatePassword } from './connection.ts';
import { createSettingsRecords } from './database-settings.ts';
import { databaseChecks } from './engine-checks.ts';
import type { DatabaseEngines } from './engines/engine.ts';
import { createMongodbEngine } from './engines/mongodb/mongodb-engine.ts';
import { createMysqlEngine } from './engines/mysql/mysql-engine.ts';
import { createPostgresEngine } from './engines/postgres/postgres-engine.ts';
import { createRedisEngine } from './engines/redis/redis-engine.ts';
import { freeSpace } from './free-space.ts';
import { cancelWork } from './long-work.ts';
import { readMemory, setMemory } from './memory.ts';
import { readMoveState, startMove } from './move.ts';
import { createMoveWork } from './move-work.ts';
import { findDatabase } from './read.ts';
import { createRedisRecords } from './redis-records.ts';
import {
  createDatabase,
  listDatabases,
  listEngines,
  measureDatabase,
  removeDatabase,
  retryDatabase,
} from './service.ts';
import { updateDatabase } from './update-database.ts';
import { createDatabaseWork, type DatabaseWork } from './work.ts';

/** What the domain was made with, its servers, and what is done there in the background. */
export interface DatabasesParts extends Pick<Platform, 'notifications' | 'secrets' | 'log'> {
  servers: DatabaseEngines;
  work: DatabaseWork;
}

/** Of the names of this server. */
type Certificates = { certificateFor: FindCertificate } & Pick<OwnCertificates, 'keyPairFor'>;

type Platformed = Pick<Platform, 'settings' | 'db' | 'jobs' | 'notifications' | 'secrets' | 'log'>;

/** People's databases, on a server for each type. */
export function createDatabases(
  platform: Platformed,
  {
    certificateFor,
    keyPairFor,
    databaseEngines: servers = createServers(platform, { certificateFor, keyPairFor }),
  }: Certificates & { databaseEngines?: DatabaseEngines | undefined },
): Domain<typeof contract.databases> & DatabasesParts {
  const { settings, db, notifications, secrets, log } = platform;
  const work = createDatabaseWork({ ...platform, servers });
  const moves = createMoveWork({ ...platform, servers });
  const parts: DatabasesParts = { notifications, secrets, log, servers, work };
  return {
    ...parts,
    handlers: {
      list: ({ ctx, input }) => listDatabases(ctx, input),
      create: ({ ctx, input }) => createDatabase(ctx, parts, input),
      get: ({ ctx, input }) => findDatabase(ctx.db, ctx.ownerId, input.id),
      update: ({ ctx, input }) => updateDatabase(ctx, parts, input),
      connection: ({ ctx, input }) => readConnection(ctx, parts, input.id),
      usage: ({ ctx, input }) => measureDatabase(ctx, parts, input.id),
      memory: ({ ctx, input }) => readMemory(ctx, parts, input.id),
      setMemory: ({ ctx, input, once }) => setMemory(ctx, parts, input, once),
      moveState: ({ ctx, input }) => readMoveState(ctx, parts, input.id),
      move: ({ ctx, input }) => startMove(ctx, parts, moves, input.id),
      retry: ({ ctx, input }) => retryDatabase(ctx, parts, input.id),
      rotatePassword: ({ ctx, input, once }) => rotatePassword(ctx, parts, input.id, once),
      freeSpace: ({ ctx, input }) => freeSpace(ctx, work, input.id),
      cancelWork: ({ ctx, input }) => cancelWork(ctx, input.id),
      remove: ({ ctx, input }) => removeDatabase(ctx, work, input.id),
      engines: () => listEngines(servers),
      changes: ({ ctx }) => followDatabases(ctx, notifications),
    },
    sweeps: { databases: work.sweep, databaseMoves: moves.sweep },
    engines: () => databaseChecks({ settings, db, servers }),
    async catchUp() {
      try {
        await Promise.all(Object.values(servers).map((server) => server.start()));
        await work.sweep();
        await moves.sweep();
      } catch (error) {
        log.error({ err: error }, 'could not look after what a stop left of the databases');
      }
    },
    async stop(jobsEnded) {
      await jobsEnded;
      await Promise.all(Object.values(servers).map((server) => server.stop()));
    },
  };
}

function createServers(
  parts: Pick<Platform, 'settings' | 'db' | 'secrets' | 'log'>,
  { certificateFor, keyPairFor }: Certificates,
): DatabaseEngines {
  const records = createClusterRecords(parts.db, parts.log);
  const databaseSettings = createSettingsRecords(parts.db);
  return {
    postgresql: createPostgresEngine({ ...parts, records, databaseSettings, certificateFor }),
    mysql: createMysqlEngine({ ...parts, certificate: () => keyPairFor(parts.settings.publicUrl.hostname) }),
    mongodb: createMongodbEngine(parts),
    redis: createRedisEngine({
      ...{ ...parts, certificateFor },
      records: createRedisRecords(parts.db, parts.secrets),
    }),
  };
}
