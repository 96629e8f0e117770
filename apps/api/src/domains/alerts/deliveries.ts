import { type AlertDelivery, DELIVERY_DAYS, MAX_DELIVERIES, type Page } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { findChannel } from './channels.ts';
import { type DeliverParts, send } from './deliver.ts';
import { type DeliveryRow, noteResult } from './due-deliveries.ts';

/** Seconds in which nobody else tries what a person waits for. */
const WAITED_FOR = 60;

function deliveriesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('alertDeliveries')
    .where('ownerId', '=', ownerId)
    .select(['id', 'channelId', 'event', 'title', 'state', 'tries', 'status', 'answer', 'problem'])
    .select(['createdAt', 'triedAt']);
}

/** What a channel was to tell, newest first. Throws 404. */
export async function listDeliveries(
  { db, ownerId }: UserContext,
  { id, limit = MAX_DELIVERIES, cursor }: { id: string } & z.output<typeof Page>,
): Promise<AlertDelivery[]> {
  await findChannel(db, ownerId, id);
  return deliveriesOf(db, ownerId)
    .where('channelId', '=', id)
    .$if(cursor !== undefined, (all) => all.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Sends a test message while its sender waits. Throws 404. */
export async function testChannel(
  ctx: UserContext,
  parts: DeliverParts,
  channelId: string,
  once: Once<UserContext>,
) {
  await findChannel(ctx.db, ctx.ownerId, channelId);
  return sendNow(ctx, parts, { channelId, event: 'test', alertIds: [], title: 'Test of Nephos' }, once);
}

/** Sends what was sent, or failed, once more while somebody waits. Throws 404 and 409. */
export async function repeatDelivery(
  ctx: UserContext,
  parts: DeliverParts,
  id: string,
  once: Once<UserContext>,
) {
  const { db, ownerId } = ctx;
  const former = await db
    .selectFrom('alertDeliveries')
    .innerJoin('alertChannels', 'alertChannels.id', 'channelId')
    .select(['channelId', 'event', 'alertIds', 'title', 'state'])
    .where('alertDeliveries.ownerId', '=', ownerId)
    .where('alertDeliveries.id', '=', id)
    .where('type', '<>', 'mail')
    .executeTakeFirst();
  if (!former) throw notFound();
  const { state, ...delivery } = former;
  if (state === 'waiting' || state === 'held') {
    throw conflict('NOT_SENT', 'It has not been sent yet. It is sent by itself.');
  }
  return sendNow(ctx, parts, delivery, once);
}

/** Sends before there is a transaction, which would hold a connection for as long as a service lets us wait. */
async function sendNow(
  { db, ownerId, signal }: UserContext,
  parts: DeliverParts,
  delivery: Pick<DeliveryRow, 'channelId' | 'event' | 'alertIds' | 'title'>,
  keptOnce: Once<UserContext>,
) {
  const channel = await db
    .selectFrom('alertChannels')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', delivery.channelId)
    .executeTakeFirstOrThrow();
  const row = await db
    .insertInto('alertDeliveries')
    .values({
      ...{ ...delivery, ownerId, tries: 1, triedAt: sql<string>`clock_timestamp()` },
      dueAt: sql<string>`clock_timestamp() + make_interval(secs => ${WAITED_FOR})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const result = await send(parts, channel, row, signal ?? new AbortController().signal);
  await noteResult(db, row, result, { once: true });
  return keptOnce((inner) =>
    deliveriesOf(inner.db, ownerId).where('id', '=', row.id).executeTakeFirstOrThrow(),
  );
}

/** Deletes deliveries that are too old, and of each channel those above what is kept. */
export async function sweepDeliveries(db: Kysely<Database>): Promise<void> {
  await sql`delete from alert_deliveries where created_at < now() - make_interval(days => ${DELIVERY_DAYS})`.execute(
    db,
  );
  await sql`
    with bounds as materialized (
      select id as channel_id, (
        select kept.id from alert_deliveries kept where kept.channel_id = alert_channels.id
        order by kept.id desc offset ${MAX_DELIVERIES - 1} limit 1
      ) as oldest from alert_channels
    )
    delete from alert_deliveries d using bounds
    where d.channel_id = bounds.channel_id and d.id < bounds.oldest and d.state in ('delivered', 'failed')`.execute(
    db,
  );
}
