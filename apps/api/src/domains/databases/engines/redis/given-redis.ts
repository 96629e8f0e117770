import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Credentials, DatabaseEngine, EngineParts } from '../engine.ts';
import { createGivenServer, Unfit } from '../given-server.ts';
import { createUnavailableEngine } from '../unavailable-engine.ts';
import { isLetIn } from './is-let-in.ts';
import { type Ask, openRedis, type RedisPlace } from './redis-client.ts';
import { MB, SHARED_LIMITS } from './redis-config.ts';
import { redisFolder } from './redis-home.ts';
import { dropUser, hasUser, keepUsers, prefixOf, replaceUser, setUser, usageOf } from './redis-users.ts';
import { createSharedLimits } from './shared-limits.ts';

const REDIS_PORT = 6379;
/** Milliseconds between two looks at whether databases keep to their limits. */
const HOLD_MS = 15_000;
const OLDEST = 7;

/** Databases that our own data says are available, by the names that their servers know. */
export interface RedisRecords {
  names(): Promise<string[]>;
  /** Undefined where there is no such database, or no more. */
  passwordOf(name: string): Promise<string | undefined>;
}

interface GivenParts extends EngineParts {
  url: string;
  records: RedisRecords;
}

/**
 * Databases on the Redis 7 or later, or Valkey, of MANAGED_REDIS_URL: each is a user there, who is held to keys and
 * channels that begin with its name. Users that the server lost, as one does that keeps none, are made again.
 */
export function givenRedis({ url, settings, log, records }: GivenParts): DatabaseEngine {
  const { hostname, port, protocol, username, password } = new URL(url);
  if (!password) {
    return createUnavailableEngine('redis', 'MANAGED_REDIS_URL needs the password of an administrator.');
  }
  const administrator = {
    name: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  };
  const place: RedisPlace = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : REDIS_PORT,
    tls: protocol === 'rediss:',
  };
  const server = createGivenServer({ setting: 'MANAGED_REDIS_URL', ping, log });
  const limits = createSharedLimits(putUser);
  const administer = <T>(work: (ask: Ask) => Promise<T>) => server.during(() => asAdministrator(work));

  async function asAdministrator<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const { ask, close } = openRedis(place);
    try {
      await ask('AUTH', administrator.name, administrator.password);
      return await work(ask);
    } finally {
      close();
    }
  }

  function ping(): Promise<void> {
    return asAdministrator(async (ask) => {
      assertFit(String(await ask('INFO')), await ask('ACL', 'GETUSER', 'default'));
    });
  }

  /** Makes a user as our own data says; false where that has none. */
  async function putUser(ask: Ask, name: string, canStore = true): Promise<boolean> {
    let set: string | undefined;
    // Whoever removes it or changes its password meanwhile says so in our data first.
    for (;;) {
      const wanted = await records.passwordOf(name);
      if (wanted === set) return set !== undefined;
      if (wanted === undefined) await ask('ACL', 'DELUSER', name);
      else await setUser(ask, { name, password: wanted }, canStore);
      set = wanted;
    }
  }

  /** One that it lost is made again; rejects where there is none. */
  async function withUser<T>(name: string, work: (ask: Ask) => Promise<T>): Promise<T> {
    return administer(async (ask) => {
      if (!(await hasUser(ask, name)) && !(await makeAgain(ask, name)))
        throw new Error(`There is no Redis database ${name}.`);
      return work(ask);
    });
  }

  async function makeAgain(ask: Ask, name: string): Promise<boolean> {
    // What a server of its own holds here is not on this one.
    if (existsSync(join(redisFolder(settings.dataDir), name))) return false;
    if (!(await putUser(ask, name))) return false;
    log.warn({ database: name }, 'a database was made again that the server of MANAGED_REDIS_URL had lost');
    await keepUsers(ask, log);
    return true;
  }

  const holding = createHolding(async () => {
    const names = server.problem() === null ? await records.names() : [];
    if (names.length > 0) await administer((ask) => limits.hold(ask, names));
  }, log);

  return {
    type: 'redis',
    runsHere: false,
    unavailable: server.problem,
    async start() {
      await server.check();
      holding.start();
    },
    async stop() {
      server.stop();
      await holding.stop();
    },
    create: (credentials) =>
      administer(async (ask) => {
        await setUser(ask, credentials);
        await keepUsers(ask, log);
      }),
    setPassword: (credentials) =>
      withUser(credentials.name, async (ask) => {
        await replaceUser(ask, credentials);
        await keepUsers(ask, log);
      }),
    accepts: ({ name, password: offered }) =>
      withUser(name, async () => {
        const { ask, close } = openRedis(place);
        try {
          return await isLetIn(ask, name, offered);
        } finally {
          close();
        }
      }),
    remove: (name) =>
      administer(async (ask) => {
        await dropUser(ask, name);
        await keepUsers(ask, log);
      }),
    usage: (name) => withUser(name, (ask) => usageOf(ask, name)),
    async recover() {
      const known = await records.names();
      if (known.length === 0) return;
      await administer(async (ask) => {
        for (const name of known) if (!(await hasUser(ask, name))) await makeAgain(ask, name);
      });
    },
    sharing: (name) =>
      `This database shares a server with others. Its keys and channels have to begin with ${prefixOf(name)} (colon included). It may take ${SHARED_LIMITS.memory / MB} MB: past that, its keys can only be read and removed. Of more than ${SHARED_LIMITS.clients} connections the newest are closed. It never sleeps.`,
    connectionString({ name, password: own }: Credentials) {
      const address = new URL(url);
      address.username = name;
      address.password = own;
      return `${address.protocol}//${address.username}:${address.password}@${address.host}/0`;
    },
  };
}

/** Does something every few seconds, once at a time. */
function createHolding(hold: () => Promise<void>, log: Logger) {
  let timer: NodeJS.Timeout | undefined;
  let going: Promise<void> | undefined;
  const turn = () => {
    going ??= hold()
      .catch((error: unknown) => log.warn({ err: error }, 'limits of Redis databases could not be seen to'))
      .finally(() => {
        going = undefined;
      });
  };
  return {
    start() {
      timer = setInterval(turn, HOLD_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await going;
    },
  };
}

function assertFit(info: string, unnamed: unknown): void {
  const version = Number(/^redis_version:(\d+)/m.exec(info)?.[1]);
  if (!(version >= OLDEST)) throw new Unfit('MANAGED_REDIS_URL needs Redis 7 or later, or Valkey.');
  if (/^cluster_enabled:1/m.test(info))
    throw new Unfit('MANAGED_REDIS_URL leads to a cluster, which cannot be used.');
  // Who sends no password is that user, and who sends `RESET` becomes it.
  const flags = flagsOf(unnamed);
  if (flags.includes('nopass') && flags.includes('on')) {
    throw new Unfit(
      'The server of MANAGED_REDIS_URL lets anybody in without a password. An admin can set one for its user default.',
    );
  }
}

/** Of what is answered to `ACL GETUSER`. */
function flagsOf(user: unknown): unknown[] {
  const fields: unknown[] = Array.isArray(user) ? user : [];
  const flags = fields[fields.indexOf('flags') + 1];
  return Array.isArray(flags) ? flags : [];
}
