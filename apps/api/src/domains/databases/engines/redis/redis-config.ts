import { createHash } from 'node:crypto';
import type { DatabaseMemory } from '@nephos/contracts';

/** What is kept of an instance beside its data. */
export interface InstanceSettings {
  /** SHA-256 of the password of its database's user, in hex. */
  passwordHash: string;
  /** Bytes that its keys and values may take. */
  memory: number;
  /** As `memory`, for what its process may take: more while what is stored of earlier does not fit yet. */
  room?: number | undefined;
  /** What it does when they take more: `noeviction` refuses to store. */
  eviction: DatabaseMemory['eviction'];
}

export const MB = 1024 * 1024;

/** Bytes for the keys and values of a new database. */
export const DEFAULT_MEMORY = 256 * MB;

/** Clients of one database at once. */
export const MOST_CLIENTS = 100;
/** Ours come on top of them. */
const OUR_CLIENTS = 10;

/** Of each database on a server that it shares with others: bytes for its keys and values, and clients at once. */
export const SHARED_LIMITS = { memory: DEFAULT_MEMORY, clients: MOST_CLIENTS };

/** The administrator, who is there for one run and whose password only this process knows. */
export const ADMINISTRATOR = 'nephos';

export const SOCKET = 'redis.sock';

/**
 * What the owner of a database may do: everything but what configures, persists, replicates or ends the server. Of the
 * commands that count as dangerous, those come back that can hurt only one's own data.
 */
const RIGHTS = [
  '~* &* +@all -@admin -@dangerous',
  '+info +keys +flushdb +flushall +sort +sort_ro +restore +role +slowlog|get +slowlog|len',
].join(' ');

/** As servers keep passwords. A random one of 190 bits needs no salt. */
export function hashOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

interface ConfigParts {
  name: string;
  /** Absolute path. */
  data: string;
  settings: InstanceSettings;
  administratorHash: string;
}

/** What the server reads from its standard input: no file of it is there to be rewritten or told of. */
export function redisConfig({ name, data, settings, administratorHash }: ConfigParts): string {
  const { passwordHash, memory, eviction } = settings;
  return [
    `dir ${JSON.stringify(data)}`,
    'port 0',
    `unixsocket ../run/${SOCKET}`,
    'unixsocketperm 700',
    'daemonize no',
    'logfile ""',
    // What a crash report tells of the commands under way belongs to people.
    'crash-log-enabled no',
    'acllog-max-len 0',
    // The log of what was done is the snapshot, too: it is rewritten as one when it has doubled.
    'save ""',
    'appendonly yes',
    'appendfsync everysec',
    'aof-use-rdb-preamble yes',
    `maxmemory ${memory}`,
    `maxmemory-policy ${eviction}`,
    // What is on its way to and from clients comes on top.
    'maxmemory-clients 50%',
    'client-query-buffer-limit 64mb',
    'proto-max-bulk-len 64mb',
    `maxclients ${MOST_CLIENTS + OUR_CLIENTS}`,
    'sanitize-dump-payload yes',
    'enable-debug-command no',
    'enable-module-command no',
    // Where the machine runs out of memory, this goes before the console.
    'oom-score-adj absolute',
    'oom-score-adj-values 400 500 600',
    // Nobody comes in as this one, but what is stored is done again with its rights: without them, no transaction is.
    'user default off resetpass ~* &* +@all',
    `user ${ADMINISTRATOR} on #${administratorHash} ~* &* +@all`,
    `user ${name} on #${passwordHash} ${RIGHTS}`,
  ].join('\n');
}

/**
 * Bytes of addresses that a server may use: its keys and values, scattered as they may be, its clients', its scripts',
 * and what any has. A script that wants more is refused; else the server ends, and is started with what it had stored.
 */
export function addressSpace(memory: number): number {
  return 3 * memory + 512 * MB;
}
