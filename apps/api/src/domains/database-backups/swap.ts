import type { ManagedDatabase } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, unprocessable } from '../../core/errors.ts';
import { usersOf } from '../database-users/users.ts';
import { beginWork, endWork, WorkCancelled } from '../databases/long-work.ts';
import { type DatabaseRow, findAvailable, findDatabase } from '../databases/read.ts';
import { credentialsOf } from '../databases/sealed-password.ts';
import { assertServer } from '../databases/server-failure.ts';
import { assertHere } from '../databases/server-place.ts';
import type { PastParts } from './parts.ts';
import { whyNoPast } from './read-past.ts';
import type { PastWork } from './work.ts';

/** They change places in the background. Throws 404, 409 NOT_AVAILABLE and BUSY, 422 NOT_SWAPPABLE, and 503. */
export async function startSwap(
  { db, ownerId, audit }: UserContext,
  parts: PastParts,
  work: Pick<PastWork, 'swap'>,
  { id, withId }: { id: string; withId: string },
): Promise<ManagedDatabase> {
  return atomically(db, async (trx) => {
    const [first, second] = [
      await findAvailable(trx, ownerId, id),
      await findAvailable(trx, ownerId, withId),
    ];
    assertAlike(parts, first, second);
    audit.note({ subject: { name: first.name }, after: { with: second.name } });
    // In one order, so that of two such calls none waits for the other for good.
    for (const each of [id, withId].sort()) await beginWork(trx, { ownerId, id: each, work: 'swapping' });
    const running = await trx
      .selectFrom('databaseBackups')
      .innerJoin('databaseArchives', 'databaseArchives.id', 'databaseBackups.archiveId')
      .select('databaseBackups.id')
      .where('databaseId', 'in', [id, withId])
      .where((eb) => eb.or([eb('status', '=', 'running'), eb('provingSince', 'is not', null)]))
      .executeTakeFirst();
    if (running) throw conflict('BUSY', 'A backup of one of the two is being made or proved. Wait for that.');
    const restoring = await trx
      .selectFrom('databaseRestores')
      .innerJoin('databaseArchives', 'databaseArchives.id', 'databaseRestores.archiveId')
      .innerJoin('managedDatabases', 'managedDatabases.id', 'databaseRestores.databaseId')
      .select('managedDatabases.id')
      .where('databaseArchives.databaseId', 'in', [id, withId])
      .where('status', '=', 'creating')
      .executeTakeFirst();
    if (restoring)
      throw conflict('BUSY', 'One of the two is just being brought back as another one. Wait for that.');
    const swap = await trx
      .insertInto('databaseSwaps')
      .values({ firstId: id, secondId: withId, firstPlace: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await work.swap(trx, swap.id);
    return findDatabase(trx, ownerId, id);
  });
}

function assertAlike(parts: PastParts, first: DatabaseRow, second: DatabaseRow): void {
  const refused = (message: string) => unprocessable('NOT_SWAPPABLE', message);
  if (first.id === second.id) throw refused('Choose another database to swap this one with.');
  if (first.type !== second.type) throw refused('Only databases of one type can change places.');
  assertServer(parts.servers[first.type]);
  const isAlone = (row: DatabaseRow) => row.type === 'postgresql' && whyNoPast(parts, row) === '';
  if (!isAlone(first) || !isAlone(second)) {
    throw refused('Only PostgreSQL databases that each have a server of their own can change places.');
  }
  if (first.home && second.home && first.home !== second.home)
    throw refused('Only databases on one machine can change places.');
}

/** Lets the two databases of a row change places. May be repeated; whatever ends it, it is finished the next time. */
export async function swap(parts: PastParts, id: string): Promise<void> {
  const { db, past, secrets, servers, turns } = parts;
  const row = await db.selectFrom('databaseSwaps').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return;
  if (!past) throw new Error('There are no servers of their own here.');
  const { firstId, secondId, firstPlace: place } = row;
  const named = (of: string) =>
    db
      .selectFrom('managedDatabases')
      .select(['type', 'engineName', 'password', 'home', 'name'])
      .where('id', '=', of)
      .executeTakeFirstOrThrow();
  const rows = [await named(firstId), await named(secondId)] as const;
  for (const each of rows) await assertHere(servers, each);
  const [first, second] = [rows[0].engineName, rows[1].engineName];
  const idOf = (name: string) => (name === first ? firstId : secondId);
  const both = { id, firstId, secondId };
  // Nothing of their logs is kept meanwhile: it would come into the archive of the other.
  const swapped = turns(first, () =>
    turns(second, () =>
      past.swap(first, second, {
        place,
        async note(firstPlace) {
          await assertWanted(db, both);
          await db.updateTable('databaseSwaps').set({ firstPlace }).where('id', '=', id).execute();
        },
        credentialsOf: async (name) => credentialsOf(secrets, await named(idOf(name))),
        usersOf: (name) => usersOf(parts, idOf(name)),
        swapped: () => conclude(db, both),
      }),
    ),
  );
  await swapped.catch(async (error) => {
    if (error instanceof WorkCancelled) return giveUp(db, both);
    await tellWhyNot(parts, rows);
    throw error;
  });
}

/** That it did not go on, at both of them; it is tried again. */
async function tellWhyNot(
  { db, servers }: PastParts,
  rows: readonly Pick<DatabaseRow, 'type' | 'engineName' | 'name'>[],
): Promise<void> {
  const failed = rows.find(({ type, engineName }) => servers[type].lastStart?.(engineName) === 'failed');
  const why = failed
    ? `The server that ${failed.name} is to have does not start.`
    : 'The swap was interrupted.';
  await db
    .updateTable('managedDatabases')
    .set({ workError: `${why} Nephos tries again by itself; an admin finds the cause in its log.` })
    .where(
      'engineName',
      'in',
      rows.map(({ engineName }) => engineName),
    )
    .where('work', '=', 'swapping')
    .execute();
}

interface Both {
  id: string;
  firstId: string;
  secondId: string;
}

/** Until their servers change places, it can be cancelled at either of them. */
async function assertWanted(db: Kysely<Database>, { firstId, secondId }: Both): Promise<void> {
  const cancelled = await db
    .selectFrom('managedDatabases')
    .select('id')
    .where('id', 'in', [firstId, secondId])
    .where('workCancelled', '=', true)
    .executeTakeFirst();
  if (cancelled) throw new WorkCancelled();
}

/** Both stay as they were. */
function giveUp(db: Kysely<Database>, { id, firstId, secondId }: Both): Promise<void> {
  return atomically(db, async (trx) => {
    await trx.deleteFrom('databaseSwaps').where('id', '=', id).execute();
    await endWork(trx, firstId);
    await endWork(trx, secondId);
  });
}

/** The past of each goes with what is in it. */
function conclude(db: Kysely<Database>, { id, firstId, secondId }: Both): Promise<void> {
  return atomically(db, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('databaseSwaps').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await trx
      .updateTable('databaseArchives')
      .set({
        // Whether it can be kept shows anew, under the other name.
        behindSince: null,
        databaseId: sql<string>`case database_id when ${firstId} then ${secondId}::uuid else ${firstId}::uuid end`,
      })
      .where('databaseId', 'in', [firstId, secondId])
      .execute();
    // A copy goes with its preview, and what is in it by now may be what production was.
    await trx.deleteFrom('previewCopies').where('databaseId', 'in', [firstId, secondId]).execute();
    await endWork(trx, firstId);
    await endWork(trx, secondId);
  });
}
