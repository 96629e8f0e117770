import type { MongoClient } from 'mongodb';
import type { DatabaseEngine, EngineParts } from '../engine.ts';
import { createGivenServer } from '../given-server.ts';
import { createUnavailableEngine } from '../unavailable-engine.ts';
import { databaseAddress, parseMongodbAddress } from './mongodb-address.ts';

/** Loads the driver as well, which takes long: only where there are such databases. */
const loadCommands = () => import('./mongodb-databases.ts');

/**
 * MongoDB 5 or later at `MANAGED_MONGODB_URL`, whose user needs `root`, or `userAdminAnyDatabase`,
 * `dbAdminAnyDatabase` and `clusterAdmin`. A database appears with its first collection; until then there is its user.
 */
export function createMongodbEngine({ settings, log }: EngineParts): DatabaseEngine {
  const url = settings.managedMongodbUrl;
  if (!url) {
    return createUnavailableEngine(
      'mongodb',
      "MANAGED_MONGODB_URL is not set. An admin can set it in the server's environment.",
    );
  }
  const address = parseMongodbAddress(url);
  // A server that lets us in without a name would let anybody in, to every database.
  if (!address.authenticates) {
    return createUnavailableEngine(
      'mongodb',
      'MANAGED_MONGODB_URL needs the name and password of an administrator.',
    );
  }
  const client = createClient(url);
  type Commands = Awaited<ReturnType<typeof loadCommands>>;
  const administer = <T>(work: (commands: Commands, server: MongoClient) => Promise<T>) =>
    given.during(async () => work(await loadCommands(), await client.open()));
  const given = createGivenServer({ setting: 'MANAGED_MONGODB_URL', ping: client.ping, log });

  return {
    type: 'mongodb',
    runsHere: false,
    unavailable: given.problem,
    start: given.check,
    async stop() {
      given.stop();
      await client.forget();
    },
    create: (credentials) => administer(({ createUser }, at) => createUser(at, credentials)),
    setPassword: (credentials) => administer(({ replaceUser }, at) => replaceUser(at, credentials)),
    // Nobody but the administrator may change it: the users have no role with `changeOwnPassword`.
    accepts: async () => true,
    remove: (name) => administer(({ dropWithUsers }, at) => dropWithUsers(at, name)),
    usage: (name) => administer(({ usageOf }, at) => usageOf(at, name)),
    connectionString: (credentials) => databaseAddress(address, credentials),
  };
}

/** The one client of a server. It connects by itself when it is needed, and anew after a loss. */
function createClient(url: string) {
  let client: Promise<MongoClient> | undefined;

  function open(): Promise<MongoClient> {
    client ??= loadCommands().then(({ openServer }) => openServer(url));
    return client;
  }

  async function forget(): Promise<void> {
    const last = client;
    client = undefined;
    await (await last)?.close();
  }

  async function ping(): Promise<void> {
    try {
      await (await open()).db('admin').command({ ping: 1 });
    } catch (error) {
      // A client that could not connect the first time never will.
      await forget();
      throw error;
    }
  }

  return { open, forget, ping };
}
