import { MongoClient } from 'mongodb';
import type { EngineDeps } from './create-engines.ts';
import type { DatabaseEngine } from './engine.ts';
import { createGivenServer } from './given-server.ts';
import { databaseAddress, parseMongodbAddress } from './mongodb-address.ts';
import { createUser, removeDatabase, replaceUser, usageOf } from './mongodb-databases.ts';
import { createUnavailableEngine } from './unavailable-engine.ts';

/** A request that fails asks once more, whether the server is to blame: twice this, at the most, in milliseconds. */
const REACH_MS = 2400;
const COMMAND_MS = 20_000;

/**
 * MongoDB 5 or later at `MANAGED_MONGODB_URL`, whose user needs `root`, or `userAdminAnyDatabase`,
 * `dbAdminAnyDatabase` and `clusterAdmin`. A database appears with its first collection; until then there is its user.
 */
export function createMongodbEngine({ settings, log }: EngineDeps): DatabaseEngine {
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

  async function forget(): Promise<void> {
    const last = client;
    client = undefined;
    await last?.close();
  }

  const given = createGivenServer({
    setting: 'MANAGED_MONGODB_URL',
    async ping() {
      try {
        await server().db('admin').command({ ping: 1 });
      } catch (error) {
        // One that could not connect the first time never will.
        await forget();
        throw error;
      }
    },
    log,
  });

  return {
    type: 'mongodb',
    unavailable: given.problem,
    start: given.check,
    async stop() {
      given.stop();
      await forget();
    },
    create: (credentials) => given.during(() => createUser(server(), credentials)),
    setPassword: (credentials) => given.during(() => replaceUser(server(), credentials)),
    remove: (name) => given.during(() => removeDatabase(server(), name)),
    usage: (name) => given.during(() => usageOf(server(), name)),
    connectionString: (credentials) => databaseAddress(address, credentials),
  };
}
