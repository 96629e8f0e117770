import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { extract } from 'tar-stream';
import type { WalPlace } from './base-backup.ts';

const POLL_MS = 100;
/** What the process that replays waits for where it has read all that is there. */
const AT_THE_END = 'RecoveryRetrieveRetryInterval';
const MODE = 0o600;

/** Unpacks a base backup. Throws on anything in it that PostgreSQL would not have put there. */
export async function unpackBase(archive: Readable, folder: string, signal: AbortSignal): Promise<void> {
  const entries = extract();
  const unpacked = unpackEntries(entries, folder);
  try {
    await Promise.all([pipeline(archive, entries, { signal }), unpacked]);
  } catch (error) {
    // A pipeline tells that it was ended, not why.
    signal.throwIfAborted();
    throw error;
  }
}

async function unpackEntries(entries: ReturnType<typeof extract>, folder: string): Promise<void> {
  const made = new Set<string>();
  const make = async (path: string) => {
    if (!made.has(path)) await mkdir(path, { recursive: true, mode: 0o700 });
    made.add(path);
  };
  for await (const entry of entries) {
    const { name, type } = entry.header;
    const path = normalize(name);
    if (path.startsWith('/') || path.split('/').includes('..'))
      throw new Error('A backup leads out of its folder.');
    if (type === 'directory') {
      await make(join(folder, path));
      entry.resume();
    } else if (type === 'file') {
      await make(dirname(join(folder, path)));
      // The typings do not say that it is a stream of Node's kind.
      await pipeline(
        entry as unknown as AsyncIterable<Uint8Array>,
        createWriteStream(join(folder, path), { mode: MODE, flags: 'wx' }),
      );
    } else throw new Error(`There is a ${type} in a backup.`);
  }
}

/** The folder of a server's log in its data. */
export const WAL_FOLDER = 'pg_wal';

/** Under which name PostgreSQL looks for a piece of its log. */
export const walFile = (name: string) => name.toUpperCase();

export interface Replay {
  /** The last piece of the log that is there. */
  last: WalPlace;
  /** Told how much of the log was read, from 0 to 1. */
  progress(done: number): Promise<void>;
  first: WalPlace;
  /** The moment that it was given; undefined: none. */
  until: Date | undefined;
  signal: AbortSignal;
}

/**
 * Waits until a server has replayed its log up to the moment that it was given, or to its end, and makes it one that can
 * be written to. Resolves to false where the end comes before the moment. Throws where the log cannot be read.
 */
export async function finishReplay(
  client: pg.ClientBase,
  { first, last, progress, until, signal }: Replay,
): Promise<boolean> {
  const pieces = last.number - first.number + 1;
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await client.query<{ replaying: boolean; piece: string | null; waits: string | null }>(
      `select pg_is_in_recovery() as replaying, floor((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)
           / (select setting::numeric from pg_settings where name = 'wal_segment_size')) as piece,
         (select wait_event from pg_stat_activity where backend_type = 'startup') as waits`,
    );
    const [row] = rows;
    if (!row?.replaying) return true;
    const piece = Number(row.piece ?? 0);
    await progress(Math.min(Math.max((piece - first.number) / pieces, 0), 1));
    if (row.waits === AT_THE_END) {
      if (piece < last.number) throw new Error('The kept log cannot be read to its end.');
      if (until) return false;
      await client.query('select pg_promote(true, 3600)');
      return true;
    }
    await wait(POLL_MS, undefined, { signal });
  }
}

const { escapeIdentifier, escapeLiteral } = pg;

/** Names of databases and their roles, as `newCredentials` makes them. */
const OURS = "datname ~ '^db_[0-9a-f]{24}$' and datname = pg_get_userbyid(datdba)";

/** The name of the one database of a server. */
export async function findOurs(
  query: (text: string) => Promise<{ rows: { name: string }[] }>,
): Promise<string> {
  const { rows } = await query(`select datname as name from pg_database where ${OURS}`);
  const name = rows[0]?.name;
  if (name === undefined || rows.length > 1) throw new Error('There is not one database on this server.');
  return name;
}

/**
 * Gives the one database of a server, and the role that owns it, the name and password that they are to have. Further
 * users are of the name that it had: none of them is let in any more, nor do their rights go to one who has their name
 * here later.
 */
export async function renameDatabase(
  query: (text: string) => Promise<{ rows: { name: string }[] }>,
  name: string,
  verifier: string,
): Promise<void> {
  const before = await findOurs(query);
  const role = escapeIdentifier(name);
  const { rows: users } = await query(
    `select rolname as name from pg_roles where not rolsuper and rolname !~ '^(pg|former)_'`,
  );
  const shutOut = users.flatMap((user) => {
    if (user.name === before) return [];
    const former = `former_${randomBytes(12).toString('hex')}`;
    const role = escapeIdentifier(user.name);
    return [`alter role ${role} nologin; alter role ${role} rename to ${former};`];
  });
  const renamed =
    before === name
      ? ''
      : `${shutOut.join('')}
         alter database ${escapeIdentifier(before)} rename to ${role};
         alter role ${escapeIdentifier(before)} rename to ${role};`;
  // One transaction: it is the one or the other.
  await query(`${renamed} alter role ${role} password ${escapeLiteral(verifier)}`);
}
