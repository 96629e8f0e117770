import type { MongoClient } from 'mongodb';
import type { EngineDeps } from './create-engines.ts';
import type { DatabaseEngine } from './engine.ts';
import { createGivenServer } from './given-server.ts';
import { databaseAddress, parseMongodbAddress } from './mongodb-address.ts';
import { createUnavailableEngine } from './unavailable-engine.ts';

/** With the driver, which takes long to load, and is no use where there are no such databases. */
const loadCommands = () => import('./mongodb-databases.ts');

/**
 * MongoDB 5 or later at `MANAGED_MONGODB_URL`, whose user needs `root`, or `userAdminAnyDatabase`,
 * `dbAdminAnyDatabase` and `clusterAdmin`. A database appears with its first collection; until then there is its user.
 */
export function createMongodbEngine({ settings, log }: EngineDeps): DatabaseEngine {
  const url = settings.managedMongodbUrl;
  if (!url) return createUnavailableEngine('mongodb', 'MANAGED_MONGODB_URL is not set.');
  const address = parseMongodbAddress(url);
  // A server that lets us in without a name would let anybody in, to every database.
  if (!address.authenticates) {
    return createUnavailableEngine(
      'mongodb',
      'MANAGED_MONGODB_URL needs the name and password of an administrator.',
    );
  }
  let client: Promise<MongoClient> | undefined;

  /** Connects by itself, and again after a loss. */
  const server = (): Promise<MongoClient> => {
    client ??= loadCommands().then(({ openServer }) => openServer(url));
    return client;
  };

  type Commands = Awaited<ReturnType<typeof loadCommands>>;
  const administer = <T>(work: (commands: Commands, server: MongoClient) => Promise<T>) =>
    given.during(async () => work(await loadCommands(), await server()));

  async function forget(): Promise<void> {
    const last = client;
    client = undefined;
    await (await last)?.close();
  }

  const given = createGivenServer({
    setting: 'MANAGED_MONGODB_URL',
    async ping() {
      try {
        await (await server()).db('admin').command({ ping: 1 });
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
    create: (credentials) => administer(({ createUser }, at) => createUser(at, credentials)),
    setPassword: (credentials) => administer(({ replaceUser }, at) => replaceUser(at, credentials)),
    // Nobody but the administrator may change it: the users have no role with `changeOwnPassword`.
    accepts: async () => true,
    remove: (name) => administer(({ removeDatabase }, at) => removeDatabase(at, name)),
    usage: (name) => administer(({ usageOf }, at) => usageOf(at, name)),
    connectionString: (credentials) => databaseAddress(address, credentials),
  };
}
