import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { lockAccount } from '../../../platform/account-lock.ts';
import { recordOwnWork } from '../../../platform/audit.ts';
import { countsOf, deleteParts } from '../deletion.ts';
import type { OwnHost } from '../own-images.ts';
import { planRetention } from './plan.ts';
import { NEXT_NIGHT, RULE } from './service.ts';

interface Repository {
  ownerId: string;
  repositoryId: string;
}

/** Runs the rules that are due, each in a transaction of its own. One server takes each, and one that fails waits a night. */
export async function sweepRetention(db: Kysely<Database>, settings: OwnHost): Promise<void> {
  for (let due = await takeDue(db); due; due = await takeDue(db)) await applyRule(db, settings, due);
}

function takeDue(db: Kysely<Database>): Promise<Repository | undefined> {
  return db
    .updateTable('containerRetention')
    .set({ nextRunAt: NEXT_NIGHT })
    .where('repositoryId', '=', ({ selectFrom }) =>
      selectFrom('containerRetention')
        .select('repositoryId')
        .where('nextRunAt', '<=', sql<string>`now()`)
        .orderBy('nextRunAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['ownerId', 'repositoryId'])
    .executeTakeFirst();
}

/** Under the account's lock, as all deletions: no push and no project begins to need any of it. */
async function applyRule(
  db: Kysely<Database>,
  settings: OwnHost,
  { ownerId, repositoryId }: Repository,
): Promise<void> {
  await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const rule = await trx
      .selectFrom('containerRetention')
      .select(RULE)
      .where('ownerId', '=', ownerId)
      .where('repositoryId', '=', repositoryId)
      .executeTakeFirst();
    if (!rule) return;
    const { going, deletion } = await planRetention(trx, settings, { repositoryId, rule });
    await trx
      .deleteFrom('containerImages')
      .where('ownerId', '=', ownerId)
      .where('id', '=', sql<string>`any(${going.map(({ id }) => id)}::uuid[])`)
      .execute();
    await deleteParts(trx, repositoryId, deletion);
    await trx
      .updateTable('containerRetention')
      .set({ ranAt: sql<string>`now()`, ranTags: going.length, ranSize: deletion.size })
      .where('repositoryId', '=', repositoryId)
      .execute();
    if (going.length === 0 && deletion.manifests.length === 0) return;
    const { name } = await trx
      .selectFrom('containerRepositories')
      .select('name')
      .where('id', '=', repositoryId)
      .executeTakeFirstOrThrow();
    await recordOwnWork(trx, {
      ...{ ownerId, procedure: 'containers.applyRetention' },
      subject: { kind: 'image', id: repositoryId, name },
      ...{ before: { tags: going.map(({ tag }) => tag) }, after: countsOf(deletion) },
    });
  });
}
