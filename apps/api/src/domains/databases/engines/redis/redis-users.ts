import type { Logger } from 'pino';
import type { Credentials, EngineUsage } from '../engine.ts';
import type { Ask } from './redis-client.ts';
import { hashOf, SHARED_LIMITS } from './redis-config.ts';
import { Refusal } from './resp.ts';

/** Keys that a server looks at in one turn; others wait for that. */
const AT_ONCE = 1000;
/** Keys that are looked at to say how much memory a database takes; of more, these are a sample. */
const SAMPLE = 50_000;

/** Types of data, and what clients need beside them. Commands of modules are not among these: they keep to no keys. */
const CATEGORIES = [
  ...['string', 'hash', 'list', 'set', 'sortedset', 'stream', 'bitmap', 'hyperloglog', 'geo'],
  ...['keyspace', 'pubsub', 'scripting', 'transaction', 'connection'],
];

/** What is in those and tells of the keys, channels and scripts of other databases, or touches them. */
const OF_THE_SERVER = [
  ...['@admin', '@dangerous', 'scan', 'randomkey', 'dbsize', 'pubsub', 'client|tracking'],
  ...['function', 'fcall', 'fcall_ro', 'script|flush', 'script|kill', 'script|debug'],
];

/** Figures of the server, without which clients of job queues do not start, and what is harmless. */
const HARMLESS = ['info', 'time', 'memory|usage'];

const RIGHTS = [
  ...CATEGORIES.map((category) => `+@${category}`),
  ...OF_THE_SERVER.map((what) => `-${what}`),
  ...HARMLESS.map((command) => `+${command}`),
];

/** Of all that writes, what whoever stores too much may do nevertheless. */
const REMOVING = [
  ...[
    'del',
    'unlink',
    'getdel',
    'expire',
    'pexpire',
    'expireat',
    'pexpireat',
    'hdel',
    'lpop',
    'rpop',
    'lrem',
  ],
  ...['ltrim', 'srem', 'spop', 'zrem', 'zpopmin', 'zpopmax', 'zremrangebyscore', 'zremrangebyrank'],
  ...['zremrangebylex', 'xdel', 'xtrim', 'xack'],
];
const NO_STORING = ['-@write', ...REMOVING.map((command) => `+${command}`)];

const SCAN = "local found = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])";
/** At the server, since keys may be any bytes: one turn of a scan, which answers where the next begins. */
const REMOVE = `${SCAN} if #found[2] > 0 then redis.call('UNLINK', unpack(found[2])) end return found[1]`;
const MEASURE = `${SCAN} local sum = 0
for _, key in ipairs(found[2]) do sum = sum + (redis.call('MEMORY', 'USAGE', key) or 0) end
return {found[1], sum}`;

/** What all keys and channels of a database begin with. */
export const prefixOf = (name: string) => `${name}:`;

/**
 * The user is let in by this password alone, with the rights of its database and nothing else; `canStore`: whether it may do
 * more than read and remove. Who is in stays in.
 */
export async function setUser(ask: Ask, { name, password }: Credentials, canStore = true): Promise<void> {
  const own = `${prefixOf(name)}*`;
  const rights = canStore ? RIGHTS : [...RIGHTS, ...NO_STORING];
  await ask('ACL', 'SETUSER', name, 'reset', 'on', `#${hashOf(password)}`, `~${own}`, `&${own}`, ...rights);
}

/** Whether the user may add to what is stored; so it counts where there is no such user. */
export async function mayStore(ask: Ask, name: string): Promise<boolean> {
  try {
    return (await ask('ACL', 'DRYRUN', name, 'SET', prefixOf(name), '')) === 'OK';
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** Who is connected to the server, and as which user. */
export async function clientsOf(ask: Ask): Promise<{ id: number; user: string }[]> {
  const lines = String(await ask('CLIENT', 'LIST')).split('\n');
  return lines.flatMap((line) => {
    const [, id] = /(?:^| )id=(\d+)/.exec(line) ?? [];
    const [, user] = / user=(\S+)/.exec(line) ?? [];
    return id !== undefined && user !== undefined ? [{ id: Number(id), user }] : [];
  });
}

export async function hasUser(ask: Ask, name: string): Promise<boolean> {
  return (await ask('ACL', 'GETUSER', name)) !== null;
}

/** Who comes with the old password between the two steps is not let in any more; who is in is put out. */
export async function replaceUser(ask: Ask, credentials: Credentials): Promise<void> {
  await setUser(ask, credentials);
  await ask('CLIENT', 'KILL', 'USER', credentials.name);
}

/** Puts out who is in, and removes all keys of the database from all numbered databases of the server. */
export async function dropUser(ask: Ask, name: string): Promise<void> {
  await ask('ACL', 'DELUSER', name);
  for (const number of numbersOf(await ask('INFO', 'keyspace'))) {
    await ask('SELECT', number);
    await removeKeys(ask, name);
  }
}

/** Of more keys than a sample the memory is an estimate. The limits are its own, or the server's where those are less. */
export async function usageOf(ask: Ask, name: string): Promise<EngineUsage> {
  const clients = await clientsOf(ask);
  const server = String(await ask('INFO', 'clients'));
  const memory = await ask('INFO', 'memory');
  let size = 0;
  for (const number of numbersOf(await ask('INFO', 'keyspace'))) {
    await ask('SELECT', number);
    size += await memoryOf(ask, name);
  }
  return {
    size,
    sizeLimit: Math.min(SHARED_LIMITS.memory, figure(memory, 'maxmemory') || SHARED_LIMITS.memory),
    connections: clients.filter(({ user }) => user === name).length,
    connectionLimit: Math.min(SHARED_LIMITS.clients, figure(server, 'maxclients')),
  };
}

/** Has the server find its users again after a restart, as far as it keeps any. */
export async function keepUsers(ask: Ask, log: Logger): Promise<void> {
  try {
    await ask('ACL', 'SAVE');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It has no file for users, but perhaps one for its settings.
    await ask('CONFIG', 'REWRITE').catch((reason) => {
      if (!(reason instanceof Refusal)) throw reason;
      log.debug({ err: reason }, 'the server of MANAGED_REDIS_URL keeps no users');
    });
  }
}

/** In the numbered database that was chosen last. Keys come in no order of ours: the first are as good as any. */
async function memoryOf(ask: Ask, name: string): Promise<number> {
  const all = Number(await ask('DBSIZE'));
  let [seen, bytes, cursor] = [0, 0, '0'];
  do {
    const reply = await ask('EVAL', MEASURE, '0', cursor, `${prefixOf(name)}*`, String(AT_ONCE));
    const [next, taken] = Array.isArray(reply) ? reply : [];
    cursor = String(next ?? '0');
    bytes += Number(taken ?? 0);
    seen += AT_ONCE;
  } while (cursor !== '0' && seen < SAMPLE);
  return cursor === '0' ? bytes : Math.round((bytes * Math.max(all, seen)) / seen);
}

async function removeKeys(ask: Ask, name: string): Promise<void> {
  let cursor = '0';
  do {
    cursor = String(await ask('EVAL', REMOVE, '0', cursor, `${prefixOf(name)}*`, String(AT_ONCE)));
  } while (cursor !== '0');
}

/** The numbered databases that have keys. */
export function numbersOf(keyspace: unknown): string[] {
  return [...String(keyspace).matchAll(/^db(\d+):/gm)].map(([, number = '0']) => number);
}

function figure(info: unknown, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(String(info))?.[1] ?? 0);
}
