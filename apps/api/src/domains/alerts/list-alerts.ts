import {
  ALERT_DAYS,
  type Alert,
  type AlertPage,
  MAX_ALERTS,
  MAX_PAGE,
  type UnreadAlerts,
} from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { follow } from '../../platform/follow.ts';
import { type Notifications, notify } from '../../platform/notifications.ts';

/** Owner's id: an alert of theirs, or who has read which, changed. Sent by a trigger as well, see migration 0077. */
const ALERT_CHANGED = 'alert_changed';

type Reader = Pick<UserContext, 'db' | 'ownerId' | 'user'>;

/** Whether the reader has seen an alert since it happened last. */
function isRead({ user }: Pick<Reader, 'user'>) {
  return sql<boolean>`exists (
    select from alert_reads where alert_id = alerts.id and user_id = ${user.id} and read_at >= last_at
  )`;
}

/** An owner's alerts, newest first. */
export async function listAlerts(
  ctx: Reader,
  { limit = MAX_PAGE, cursor, view = 'all', kind, projectId }: z.output<typeof AlertPage> = {},
): Promise<Alert[]> {
  const rows = await ctx.db
    .selectFrom('alerts')
    .where('ownerId', '=', ctx.ownerId)
    .$if(cursor !== undefined, (all) => all.where('id', '<', cursor ?? ''))
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind ?? ''))
    .$if(projectId !== undefined, (all) => all.where('projectId', '=', projectId ?? ''))
    .$if(view === 'open', (all) => all.where('recoveredAt', 'is', null))
    .$if(view === 'unread', (all) => all.where(sql<boolean>`not ${isRead(ctx)}`))
    .select(['id', 'kind', 'subjectKind', 'subjectId', 'subjectName', 'text', 'path', 'count'])
    .select(['createdAt', 'lastAt', 'recoveredAt', isRead(ctx).as('read')])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ subjectKind, subjectId, subjectName, kind, ...row }) => ({
    ...row,
    // Nothing but the contract's kinds is ever raised.
    kind: kind as Alert['kind'],
    subject: { kind: subjectKind, id: subjectId, name: subjectName },
  }));
}

export async function countUnread(ctx: Reader): Promise<UnreadAlerts> {
  const { unread } = await ctx.db
    .selectFrom('alerts')
    .where('ownerId', '=', ctx.ownerId)
    .where(sql<boolean>`not ${isRead(ctx)}`)
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow();
  return { unread };
}

/** Throws 404. */
export async function markAlert(
  { db, ownerId, user }: Reader,
  { id, read }: { id: string; read: boolean },
): Promise<{ success: true }> {
  const alert = await db
    .selectFrom('alerts')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!alert) throw notFound();
  if (read) await writeReads(db, { ownerId, userId: user.id }, sql`id = ${id}`);
  else await db.deleteFrom('alertReads').where('userId', '=', user.id).where('alertId', '=', id).execute();
  await notify(db, ALERT_CHANGED, ownerId);
  return { success: true };
}

/** What came after `through` stays unread: who says so has not seen it. */
export async function markAllRead(
  { db, ownerId, user }: Reader,
  through: string,
): Promise<{ success: true }> {
  await writeReads(db, { ownerId, userId: user.id }, sql`id <= ${through}`);
  await notify(db, ALERT_CHANGED, ownerId);
  return { success: true };
}

async function writeReads(
  db: Kysely<Database>,
  { ownerId, userId }: { ownerId: string; userId: string },
  which: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    insert into alert_reads (alert_id, user_id)
    select id, ${userId} from alerts where owner_id = ${ownerId} and ${which}
    on conflict (alert_id, user_id) do update set read_at = excluded.read_at`.execute(db);
}

/** The number of unread alerts now, and at each change of an alert; the event's id is the number of the event. */
export async function* followUnread(
  ctx: UserContext,
  notifications: Notifications,
): AsyncGenerator<Tracked<UnreadAlerts>> {
  const { ownerId, signal } = ctx;
  const concerns = (about: string) => about === ownerId;
  const follower = follow(notifications, { channels: [ALERT_CHANGED], concerns, signal });
  try {
    let sent = 0;
    do {
      sent += 1;
      yield { id: String(sent), data: await countUnread(ctx) };
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}

/** Deletes alerts that are too old, and of each owner those above what is kept. */
export async function sweepAlerts(db: Kysely<Database>): Promise<void> {
  await sql`delete from alerts where created_at < now() - make_interval(days => ${ALERT_DAYS})`.execute(db);
  await sql`
    with bounds as materialized (
      select owner_id, (
        select kept.id from alerts kept where kept.owner_id = owners.owner_id
        order by kept.id desc offset ${MAX_ALERTS - 1} limit 1
      ) as oldest from (select distinct owner_id from alerts) as owners
    )
    delete from alerts using bounds
    where alerts.owner_id = bounds.owner_id and alerts.id < bounds.oldest`.execute(db);
}
