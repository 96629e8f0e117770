import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { forbidden } from '../core/errors.ts';

function lock(trx: Kysely<Database>, ownerId: string | Expression<string>) {
  return trx.selectFrom('workspaces').select('id').where('id', '=', ownerId).forNoKeyUpdate();
}

/** Holds a workspace until the transaction `trx` ends, so that calls at the same time are counted one after the other. */
export async function lockAccount(trx: Kysely<Database>, ownerId: string): Promise<void> {
  await lock(trx, ownerId).execute();
}

const sendLock = prepare(
  (db, parameter: Parameter<{ ownerId: string }>) => lock(db, parameter('ownerId')).compile(),
  { unread: true },
);

/** The same at no trip to the database: it is the transaction's next statement that is answered once the workspace is held. */
export async function lockAccountWithNext(trx: Kysely<Database>, ownerId: string): Promise<void> {
  await sendLock(trx, { ownerId });
}

type Table =
  | 'projects'
  | 'previews'
  | 'variableGroups'
  | 'managedDatabases'
  | 'dnsZones'
  | 'virtualAccounts'
  | 'beneficiaries';

/** How many rows a workspace has in a table, or of those only some. A limit is judged by it under the account's lock (`lockAccount`). */
export async function countOwned(
  db: Kysely<Database>,
  table: Table,
  ownerId: string,
  only?: Expression<SqlBool>,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .where('ownerId', '=', ownerId)
    .$if(only !== undefined, (rows) => rows.where(only ?? sql<boolean>`true`))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

interface Room {
  table: Table;
  most: number;
  /** One sentence. */
  refusal: string;
  /** The rows that count; absent, all of them. */
  only?: Expression<SqlBool>;
}

/**
 * Locks an account, and throws 403 PLAN_LIMIT_REACHED with `refusal`, one sentence, where it has `most` rows of a table
 * already: of calls at the same time only those pass for which there is room.
 */
export async function assertRoom(
  trx: Kysely<Database>,
  ownerId: string,
  { table, most, refusal, only }: Room,
): Promise<void> {
  await lockAccount(trx, ownerId);
  if ((await countOwned(trx, table, ownerId, only)) >= most) throw forbidden('PLAN_LIMIT_REACHED', refusal);
}
