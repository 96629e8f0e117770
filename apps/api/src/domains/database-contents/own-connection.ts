import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { UserContext } from '../../core/context.ts';
import { conflict, unavailable } from '../../core/errors.ts';
import { addressHere } from '../databases/address.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { type DatabaseRow, findAvailable } from '../databases/read.ts';

/** What it takes to connect as a database's own user. */
export type ContentsParts = Pick<DatabasesParts, 'servers' | 'work' | 'secrets' | 'log'>;

export interface Session {
  /** Seconds that a statement may take. */
  seconds: number;
  /** By which the server lists it, so that it is found from any process. */
  applicationName?: string;
}

const THIS_MACHINE = '127.0.0.1';
const CONNECT_MS = 5000;
/** Milliseconds beyond the server's own limit, after which it is not waited for any more. */
const GRACE_MS = 2000;
/** Bytes of all answers of a session; a value of PostgreSQL's may have a gigabyte. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Sessions at once; a database has 20 connections, most of them for its apps. */
const MAX_OF_ALL = 32;
const MAX_OF_ONE = 4;
const INVALID_PASSWORD = '28P01';
const TOO_MANY_CONNECTIONS = '53300';
/** Values as the server writes them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

/** That the console ended a session, in a sentence for people. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/** Throws 404, 409 NOT_POSTGRESQL and NOT_AVAILABLE. */
export async function findPostgres(db: Kysely<Database>, ownerId: string, id: string): Promise<DatabaseRow> {
  const row = await findAvailable(db, ownerId, id);
  if (row.type === 'postgresql') return row;
  throw conflict('NOT_POSTGRESQL', 'The console shows the contents of PostgreSQL databases only.');
}

/** Whose sessions there are now. */
const open: string[] = [];

/**
 * Does some work in a session of the database's own user, who can do there what anybody with its address can. What it
 * rejects with is `Ended`, or the server's own error. Throws 404, 409 NOT_POSTGRESQL, NOT_AVAILABLE or PASSWORD_CHANGED,
 * and 503.
 */
export async function asOwnUser<T>(
  { db, ownerId, signal }: Pick<UserContext, 'db' | 'ownerId' | 'signal'>,
  parts: ContentsParts,
  { id, ...session }: Session & { id: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const row = await findPostgres(db, ownerId, id);
  if (open.length >= MAX_OF_ALL || open.filter((other) => other === ownerId).length >= MAX_OF_ONE) {
    throw unavailable('Too many statements are running. Try again in a moment.');
  }
  open.push(ownerId);
  try {
    const { url } = await addressHere(parts, row, THIS_MACHINE);
    return await inSession(url, session, signal, work);
  } finally {
    open.splice(open.indexOf(ownerId), 1);
  }
}

async function inSession<T>(
  url: string,
  { seconds, applicationName = 'nephos console' }: Session,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: seconds * 1000,
    application_name: applicationName,
    types: AS_TEXT,
  });
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {});
  client.on('error', (error) => end(error));
  await connect(client);
  const { stream } = client.connection;
  let received = 0;
  const watch = (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) {
      end(new Ended('The answer is larger than 16 MB. Ask for fewer rows or columns.'));
    }
  };
  stream.on('data', watch);
  const patience = setTimeout(
    () => end(new Ended(`The statement took longer than ${seconds} seconds.`)),
    seconds * 1000 + GRACE_MS,
  );
  const leave = () => end(new Ended('The statement was cancelled.'));
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  try {
    return await Promise.race([work(client), ended]);
  } finally {
    clearTimeout(patience);
    signal?.removeEventListener('abort', leave);
    // The server gives up a statement whose client is gone; a farewell would wait for its end.
    stream.destroy();
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === INVALID_PASSWORD) {
      throw conflict(
        'PASSWORD_CHANGED',
        'The password was changed at the server. Rotate it here to look into the database again.',
      );
    }
    if (code === TOO_MANY_CONNECTIONS) {
      throw unavailable('All connections of this database are in use. Close one, or try again in a moment.');
    }
    throw unavailable('The database server did not respond as expected. Try again in a moment.');
  }
}
