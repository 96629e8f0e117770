import { type DatabaseUpdate, GB, type ManagedDatabase } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { byteSize } from '../../platform/byte-size.ts';
import type { DatabasesParts } from './databases.ts';
import { findDatabase } from './read.ts';
import { asked } from './server-failure.ts';

/** What has to be left beside what a database holds, as a share of that. */
export const ROOM = 1.05;

type Change = z.output<typeof DatabaseUpdate>;

/**
 * Changes its storage, its class and when it sleeps; its server follows in the background. Throws 404, 409 SHARED_SERVER
 * for what only a server of its own has, 409 TOO_SMALL, and 503 while it cannot be measured.
 */
export async function updateDatabase(
  ctx: UserContext,
  parts: Pick<DatabasesParts, 'servers' | 'work' | 'log'>,
  { id, ...wanted }: Change,
): Promise<ManagedDatabase> {
  const { db, ownerId, audit } = ctx;
  if (wanted.storageSize !== undefined)
    await assertHolds(ctx, parts, { id, storageSize: wanted.storageSize });
  return atomically(db, async (trx) => {
    const row = await trx
      .selectFrom('managedDatabases')
      .select(['id', 'type', 'engineName', 'name', 'activity', 'sleepAfter', 'sizeClass', 'storageSize'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    const { activity, ...before } = row;
    if (activity === null) assertSharedHas(wanted);
    const { sleepAfter = before.sleepAfter, sizeClass = before.sizeClass } = wanted;
    const { storageSize = before.storageSize } = wanted;
    await trx
      .updateTable('managedDatabases')
      .set({ sleepAfter, sizeClass, storageSize })
      .where('id', '=', id)
      .execute();
    const were = Object.fromEntries(
      (['sleepAfter', 'sizeClass', 'storageSize'] as const)
        .filter((field) => wanted[field] !== undefined)
        .map((field) => [field, before[field]]),
    );
    audit.note({ subject: { name: before.name }, before: were });
    if (storageSize !== before.storageSize) await parts.work.settings(trx, before);
    if (sizeClass !== before.sizeClass) await parts.work.settings(trx, before, 'resize');
    return findDatabase(trx, ownerId, id);
  });
}

function assertSharedHas({ sleepAfter, sizeClass }: Omit<Change, 'id'>): void {
  if (sleepAfter !== undefined) {
    throw conflict('SHARED_SERVER', 'This database has no server of its own, so it never sleeps.');
  }
  if (sizeClass !== undefined) {
    throw conflict(
      'SHARED_SERVER',
      'This database has no server of its own, so it has no memory and connections to choose.',
    );
  }
}

/** Of a server of its own, whose storage is enforced; others show theirs as a label. */
async function assertHolds(
  { db, ownerId }: UserContext,
  { servers, log }: Pick<DatabasesParts, 'servers' | 'log'>,
  { id, storageSize }: { id: string; storageSize: number },
): Promise<void> {
  const row = await db
    .selectFrom('managedDatabases')
    .select(['type', 'engineName', 'activity', 'storageSize'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.activity === null || storageSize >= row.storageSize) return;
  const engine = servers[row.type];
  const { size } = await asked({ engine, log }, () => engine.usage(row.engineName));
  const least = Math.ceil((size * ROOM) / GB);
  if (storageSize >= least) return;
  throw conflict('TOO_SMALL', `This database holds ${byteSize(size)}: choose at least ${least} GB.`);
}
