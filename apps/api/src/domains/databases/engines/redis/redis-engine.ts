import type { FindCertificate } from '../../../../http/tls-server.ts';
import type { Credentials, DatabaseEngine, EngineParts } from '../engine.ts';
import { clientHost } from '../listening.ts';
import { createUnavailableEngine } from '../unavailable-engine.ts';
import { createDoor } from './door/door.ts';
import { givenRedis, type RedisRecords } from './given-redis.ts';
import type { Instance } from './instance.ts';
import { createInstances } from './instances.ts';
import { isLetIn } from './is-let-in.ts';
import { openRedis, usedMemory } from './redis-client.ts';
import { DEFAULT_MEMORY, hashOf, MB, MOST_CLIENTS } from './redis-config.ts';
import { findRedis, type RedisPrograms } from './redis-programs.ts';
import { Refusal } from './resp.ts';

const RETRY_MS = 5000;

interface RedisParts extends EngineParts {
  certificateFor: FindCertificate;
  /** For a server that is not ours. */
  records: RedisRecords;
}

/** Redis or Valkey databases of which each has a server of its own, behind one port; or on the one that was set. */
export function createRedisEngine(parts: RedisParts): DatabaseEngine {
  const url = parts.settings.managedRedisUrl;
  if (url) return givenRedis({ ...parts, url });
  const programs = findRedis(parts.settings.hostEnvironment.PATH);
  if (programs) return privateRedis(parts, programs);
  return createUnavailableEngine(
    'redis',
    "redis-server is not installed on this machine. An admin can install Debian's package of that name, or set MANAGED_REDIS_URL.",
  );
}

function privateRedis(
  { settings, log, certificateFor }: Omit<RedisParts, 'records'>,
  programs: RedisPrograms,
): DatabaseEngine {
  const { managedRedisPort: wanted, host, publicUrl, dataDir } = settings;
  const instances = createInstances({ dataDir, programs, log });
  const door = createDoor({
    ...{ admit, log },
    certificateFor: (name) => certificateFor(name ?? publicUrl.hostname),
  });
  let port = wanted;
  let opening: Promise<void> | undefined;
  let problem: string | null = null;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function admit(user: string) {
    const instance = instances.find(user);
    if (!instance) return undefined;
    const path = await instance.enter();
    return path === undefined ? 'full' : { server: { path }, leave: instance.leave };
  }

  /** The port is taken once there is a database behind it. */
  function listening(): Promise<void> {
    opening ??= listen().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function listen(): Promise<void> {
    clearTimeout(retry);
    try {
      if (stopped) throw new Error('The console is stopping.');
      port = await door.listen({ host, port: wanted });
      problem = null;
    } catch (error) {
      const reason = explain(error, wanted);
      if (reason !== problem) log.error({ err: error }, reason);
      problem = reason;
      if (!stopped) retry = setTimeout(() => void listening().catch(() => {}), RETRY_MS).unref();
      throw error;
    }
    // The stop may have come meanwhile.
    if (stopped) await door.close();
  }

  function found(name: string): Instance {
    const instance = instances.find(name);
    if (!instance) throw new Error(`There is no Redis database ${name}.`);
    return instance;
  }

  return {
    type: 'redis',
    runsHere: true,
    unavailable: () => problem,
    lastStart: (name) => instances.find(name)?.lastStart,
    async start() {
      if (stopped) return;
      instances.start();
      if (instances.count > 0) await listening().catch(() => {});
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await opening?.catch(() => {});
      await door.close();
      await instances.stop();
    },
    async create({ name, password }) {
      await listening();
      const passwordHash = hashOf(password);
      const instance = instances.make(name, { passwordHash, memory: DEFAULT_MEMORY, eviction: 'noeviction' });
      await instance.open();
      if (instance.settings().passwordHash !== passwordHash)
        await replacePassword(instance, name, passwordHash);
    },
    setPassword: async ({ name, password }) => replacePassword(found(name), name, hashOf(password)),
    async accepts({ name, password }) {
      const server = await found(name).open();
      const { ask, close } = openRedis({ path: server.socket() });
      try {
        return await isLetIn(ask, name, password);
      } finally {
        close();
      }
    },
    memory: {
      async read(name) {
        const { memory, eviction } = found(name).settings();
        return { limit: memory / MB, eviction };
      },
      set: async (name, { limit, eviction }) =>
        found(name).change({ memory: limit * MB, eviction }, async (ask) => {
          await ask('CONFIG', 'SET', 'maxmemory', String(limit * MB), 'maxmemory-policy', eviction);
        }),
    },
    remove: (name) => instances.remove(name),
    async usage(name) {
      const instance = found(name);
      const server = await instance.open();
      const size = usedMemory(await server.administer((ask) => ask('INFO', 'memory')));
      return {
        ...{ size, sizeLimit: instance.settings().memory },
        ...{ connections: instance.connections, connectionLimit: MOST_CLIENTS },
      };
    },
    connectionString({ name, password }: Credentials) {
      if (port === 0) throw new Error('The port of Redis databases is not known yet.');
      return `redis://${name}:${encodeURIComponent(password)}@${clientHost(settings)}:${port}/0`;
    },
  };
}

/** Who comes with the old one between the two steps is not let in any more; who is in is put out. */
async function replacePassword(instance: Instance, name: string, passwordHash: string): Promise<void> {
  try {
    await instance.change({ passwordHash }, async (ask) => {
      await ask('ACL', 'SETUSER', name, 'resetpass', `#${passwordHash}`);
      await ask('CLIENT', 'KILL', 'USER', name);
    });
  } catch (error) {
    // A script without an end is no reason to let the old one in: the next start knows the new one alone.
    if (error instanceof Refusal && !error.message.startsWith('BUSY')) throw error;
    await instance.restart();
  }
}

function explain(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EADDRINUSE'
    ? `MANAGED_REDIS_PORT ${port} is in use by another program: set it to another port.`
    : 'The port of Redis databases could not be opened. See the Nephos log.';
}
