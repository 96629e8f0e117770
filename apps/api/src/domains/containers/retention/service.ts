import type { Retention, RetentionPreview, RetentionRule } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { UserContext } from '../../../core/context.ts';
import { notFound } from '../../../core/errors.ts';
import { countsOf } from '../deletion.ts';
import type { OwnHost } from '../own-images.ts';
import { assertOwned } from '../untagged-service.ts';
import { planRetention } from './plan.ts';

/** Three hours after the next midnight, UTC. */
export const NEXT_NIGHT = sql<string>`(date_trunc('day', now() at time zone 'utc') + interval '27 hours') at time zone 'utc'`;

export const RULE = ['matching', 'keepMatching', 'keepLast', 'olderThanDays', 'untagged'] as const;

/** The rule of a repository and its last run. Throws 404. */
export async function describeRetention(ctx: UserContext, repositoryId: string): Promise<Retention> {
  await assertOwned(ctx, ctx.db, repositoryId);
  const row = await ctx.db
    .selectFrom('containerRetention')
    .select([...RULE, 'nextRunAt', 'ranAt', 'ranTags', 'ranSize'])
    .where('ownerId', '=', ctx.ownerId)
    .where('repositoryId', '=', repositoryId)
    .executeTakeFirst();
  if (!row) return { rule: null, nextRunAt: null, lastRun: null };
  const { nextRunAt, ranAt, ranTags, ranSize, ...rule } = row;
  return { rule, nextRunAt, lastRun: ranAt === null ? null : { at: ranAt, tags: ranTags, size: ranSize } };
}

/** What a rule would do now. Throws 404. */
export async function previewRetention(
  ctx: UserContext,
  settings: OwnHost,
  { id: repositoryId, ...rule }: RetentionRule & { id: string },
): Promise<RetentionPreview> {
  await assertOwned(ctx, ctx.db, repositoryId);
  const { tags, deletion } = await planRetention(ctx.db, settings, { repositoryId, rule });
  return { tags: tags.map(({ isOfOther: _, ...tag }) => tag), deletion: countsOf(deletion) };
}

/** Gives a repository a rule, or another one. Throws 404. */
export function setRetention(
  ctx: UserContext,
  { id: repositoryId, ...rule }: RetentionRule & { id: string },
): Promise<Retention> {
  return atomically(ctx.db, async (trx) => {
    await assertOwned(ctx, trx, repositoryId);
    const changes = { ...rule, nextRunAt: NEXT_NIGHT, ranAt: null };
    await trx
      .insertInto('containerRetention')
      .values({ ownerId: ctx.ownerId, repositoryId, ...changes })
      .onConflict((conflicting) => conflicting.column('repositoryId').doUpdateSet(changes))
      .execute();
    return describeRetention({ ...ctx, db: trx }, repositoryId);
  });
}

/** Throws 404, also where the repository has no rule. */
export async function removeRetention(
  { db, ownerId }: UserContext,
  repositoryId: string,
): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('containerRetention')
    .where('ownerId', '=', ownerId)
    .where('repositoryId', '=', repositoryId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}
