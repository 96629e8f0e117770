import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { UserContext } from '../../core/context.ts';
import { conflict, unavailable, unprocessable } from '../../core/errors.ts';
import { createGate } from '../../http/gate.ts';
import { addressHere } from '../databases/address.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { type DatabaseRow, findAvailable } from '../databases/read.ts';

/** What it takes to connect as a database's own user. */
export type ContentsParts = Pick<DatabasesParts, 'servers' | 'work' | 'secrets' | 'log'>;

/** A session at a database of somebody's. */
export interface Session {
  id: string;
  /** Seconds that a statement may take. */
  seconds: number;
  /** Whether it may change the database; if not, it is within a transaction that cannot be made to. */
  write?: boolean;
  /** By which the server lists it, so that it is found from any process. */
  applicationName?: string;
  /** Where there are too many, it is refused, unless it waits a moment first, or goes ahead, as what ends others does. */
  whenFull?: 'wait' | 'goAhead';
}

const THIS_MACHINE = '127.0.0.1';
const CONNECT_MS = 5000;
/** Seconds that a look into a database may take. */
const LOOK_SECONDS = 10;
/** Milliseconds beyond the server's own limit, after which it is not waited for any more. */
const GRACE_MS = 2000;
/** Bytes of all answers of a session; a value of PostgreSQL's may have a gigabyte. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Milliseconds after which a server looks whether the client of a running statement is still there. */
const CHECK_MS = 1000;
/** Milliseconds that a look waits: a page that is loaded anew asks before the sessions that it left have ended. */
const WAIT_MS = 5000;
/** Sessions at once; a database has 20 connections, most of them for its apps. */
const MAX_OF_ALL = 32;
const GATES = {
  people: createGate({ places: MAX_OF_ALL, each: 3, patience: WAIT_MS }),
  workspaces: createGate({ places: MAX_OF_ALL, each: 6, patience: WAIT_MS }),
};
const INVALID_PASSWORD = '28P01';
const TOO_MANY_CONNECTIONS = '53300';
/** Values as the server writes them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

/** That the console ended a session, or lost it, in a sentence for people. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/** Throws 404, 409 NOT_POSTGRESQL and NOT_AVAILABLE. */
export async function findPostgres(db: Kysely<Database>, ownerId: string, id: string): Promise<DatabaseRow> {
  const row = await findAvailable(db, ownerId, id);
  if (row.type === 'postgresql') return row;
  throw conflict('NOT_POSTGRESQL', 'The console shows the contents of PostgreSQL databases only.');
}

/** Resolves to how the place is given back. Throws 503. */
async function enter(
  { ownerId, user }: Pick<UserContext, 'ownerId' | 'user'>,
  whenFull: Session['whenFull'],
): Promise<() => void> {
  if (whenFull === 'goAhead') return () => {};
  const patience = whenFull === 'wait' ? WAIT_MS : 0;
  const left: (() => void)[] = [];
  const leave = () => left.forEach((one) => void one());
  try {
    left.push(await GATES.people.enter(user.id, patience));
    left.push(await GATES.workspaces.enter(ownerId, patience));
    return leave;
  } catch {
    leave();
    throw unavailable('Too many statements are running. Cancel one, or try again in a moment.');
  }
}

/**
 * Does some work in a session of the database's own user, who can do there what anybody with its address can. What it
 * rejects with is `Ended`, or the server's own error. Throws 404, 409 NOT_POSTGRESQL, NOT_AVAILABLE or PASSWORD_CHANGED,
 * and 503.
 */
export async function asOwnUser<T>(
  { db, ownerId, user, signal }: Pick<UserContext, 'db' | 'ownerId' | 'user' | 'signal'>,
  parts: ContentsParts,
  session: Session,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const row = await findPostgres(db, ownerId, session.id);
  const leave = await enter({ ownerId, user }, session.whenFull);
  let isCutOff = false;
  try {
    const { url } = await addressHere(parts, row, THIS_MACHINE);
    return await inSession(url, session, signal, work);
  } catch (error) {
    isCutOff = error instanceof Ended;
    throw error;
  } finally {
    // The server may be at it for a moment after it was left.
    if (isCutOff) setTimeout(leave, 2 * CHECK_MS).unref();
    else leave();
  }
}

/** As `asOwnUser`, changing nothing; the server's refusals are 422 with its own words. */
export async function look<T>(
  ctx: Pick<UserContext, 'db' | 'ownerId' | 'user' | 'signal'>,
  parts: ContentsParts,
  id: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  try {
    return await asOwnUser(ctx, parts, { id, seconds: LOOK_SECONDS, whenFull: 'wait' }, work);
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw unprocessable('REFUSED_BY_SERVER', error.message);
    if (error instanceof Ended) throw unprocessable('TOO_MUCH', error.message);
    throw error;
  }
}

async function inSession<T>(
  url: string,
  { seconds, write = false, applicationName = 'nephos console' }: Session,
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
  let end: (reason: string) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    const caution = write ? ' It may have been carried out all the same.' : '';
    end = (reason) => reject(new Ended(`${reason}${caution}`));
  });
  ended.catch(() => {});
  let isLost = false;
  const lose = () => {
    isLost = true;
    end('The connection to the database was lost.');
  };
  client.on('error', lose);
  client.on('end', lose);
  await connect(client);
  const { stream } = client.connection;
  let received = 0;
  const watch = (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) end('The answer is larger than 16 MB. Ask for fewer rows or columns.');
  };
  stream.on('data', watch);
  const patience = setTimeout(
    () => end(`The statement took longer than ${seconds} seconds.`),
    seconds * 1000 + GRACE_MS,
  );
  const cancel = () => end('The statement was cancelled.');
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    return await Promise.race([begin(client, write).then(() => work(client)), ended]);
  } catch (error) {
    // A query that was under way is told so in words of its own.
    if (isLost && !(error instanceof pg.DatabaseError)) return await ended;
    throw error;
  } finally {
    clearTimeout(patience);
    signal?.removeEventListener('abort', cancel);
    // Within a second, the server gives up a statement whose client is gone; a farewell would wait for its end.
    stream.destroy();
  }
}

async function begin(client: pg.Client, write: boolean): Promise<void> {
  // Servers before PostgreSQL 14 do not know it, and end the statement at its limit in time.
  await client.query(`set client_connection_check_interval = ${CHECK_MS}`).catch(() => {});
  // After its first query, a transaction cannot be made to write any more.
  if (!write) await client.query('begin read only; select 1');
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === INVALID_PASSWORD) {
      throw conflict(
        'PASSWORD_CHANGED',
        'The password was changed at the server. Reset it here to look into the database again.',
      );
    }
    if (code === TOO_MANY_CONNECTIONS) {
      throw unavailable('All connections of this database are in use. Close one, or try again in a moment.');
    }
    throw unavailable('The database server did not respond as expected. Try again in a moment.');
  }
}
