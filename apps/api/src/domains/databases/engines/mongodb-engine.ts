import { MongoClient } from 'mongodb';
import type { EngineDeps } from './create-engines.ts';
import type { DatabaseEngine } from './engine.ts';
import { databaseAddress, parseMongodbAddress } from './mongodb-address.ts';
import { createUser, removeDatabase, replaceUser, usageOf } from './mongodb-databases.ts';
import { createUnavailableEngine } from './unavailable-engine.ts';

/** What a server that is down may cost a request, in milliseconds. */
const REACH_MS = 4000;
const COMMAND_MS = 20_000;

/**
 * MongoDB 5 or later at `MANAGED_MONGODB_URL`, whose user needs `root`, or `userAdminAnyDatabase`,
 * `dbAdminAnyDatabase` and `clusterAdmin`. A database appears with its first collection; until then there is its user.
 */
export function createMongodbEngine({ settings }: EngineDeps): DatabaseEngine {
  const url = settings.managedMongodbUrl;
  if (!url) return createUnavailableEngine('mongodb', 'MongoDB needs MANAGED_MONGODB_URL.');
  const address = parseMongodbAddress(url);
  // A server that lets us in without a name would let anybody in, to every database.
  if (!address.authenticates) {
    return createUnavailableEngine(
      'mongodb',
      'MANAGED_MONGODB_URL needs the name and password of an administrator.',
    );
  }
  let client: MongoClient | undefined;

  /** Connects by itself, and again after a loss. */
  function server(): MongoClient {
    client ??= new MongoClient(url ?? '', {
      appName: 'nephos',
      serverSelectionTimeoutMS: REACH_MS,
      connectTimeoutMS: REACH_MS,
      socketTimeoutMS: COMMAND_MS,
      maxPoolSize: 4,
    });
    return client;
  }

  return {
    type: 'mongodb',
    unavailable: () => null,
    async start() {},
    async stop() {
      const last = client;
      client = undefined;
      await last?.close();
    },
    create: async (credentials) => createUser(server(), credentials),
    setPassword: async (credentials) => replaceUser(server(), credentials),
    remove: async (name) => removeDatabase(server(), name),
    usage: async (name) => usageOf(server(), name),
    connectionString: (credentials) => databaseAddress(address, credentials),
  };
}
