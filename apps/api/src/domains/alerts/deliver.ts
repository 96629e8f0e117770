import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import { addressContext, secretContext } from './channels.ts';
import {
  type ChannelRow,
  type DeliveryRow,
  hold,
  MAX_TRIES,
  noteResult,
  releaseHeld,
} from './due-deliveries.ts';
import { type AlertMessage, bodyFor, linesOf, pageOf } from './messages.ts';
import { type PostResult, postMessage } from './post-message.ts';
import { quietUntil } from './quiet-hours.ts';

export interface DeliverParts
  extends Pick<Platform, 'db' | 'settings' | 'secrets' | 'mail' | 'log' | 'notifications'> {
  /** Milliseconds that a service may take; for tests. */
  patience?: number | undefined;
  /** The present; for tests. */
  now?: (() => Date) | undefined;
}

/** Tells what one delivery is about, or keeps it back. Seconds until it is to be tried again, where it is. */
export async function deliver(
  parts: DeliverParts,
  taken: DeliveryRow,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { db, now = () => new Date() } = parts;
  const channel = await db
    .selectFrom('alertChannels')
    .innerJoin('workspaces', 'workspaces.id', 'ownerId')
    .selectAll('alertChannels')
    .select('closingSince')
    .where('alertChannels.id', '=', taken.channelId)
    .executeTakeFirst();
  if (!channel) return undefined;
  if (channel.closingSince !== null) return noteResult(db, taken, failure('The workspace was deleted.'));
  // Each try before this one died without a word.
  if (taken.tries > MAX_TRIES) return noteResult(db, taken, failure('It could not be sent.'));
  const quiet = await quietFor(db, channel, taken, now());
  if (quiet) {
    await hold(db, taken, quiet);
    return undefined;
  }
  const delivery = taken.state === 'held' ? await atomically(db, (trx) => releaseHeld(trx, taken)) : taken;
  if (!delivery) return undefined;
  return channel.type === 'mail'
    ? sendMail(parts, channel, delivery)
    : noteResult(db, delivery, await send(parts, channel, delivery, signal));
}

/** Until when a channel is to be left alone with a message; undefined: it is told now. */
async function quietFor(
  db: Kysely<Database>,
  { quietHours }: ChannelRow,
  { alertIds, event }: DeliveryRow,
  now: Date,
): Promise<Date | undefined> {
  const end = quietHours === null || event === 'test' ? undefined : quietUntil(asQuiet(quietHours), now);
  if (!end || quietHours === null || event === 'summary') return end;
  const urgent = await db
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', sql<string>`any(${alertIds}::uuid[])`)
    .where('kind', '=', sql<string>`any(${quietHours.urgent}::text[])`)
    .limit(1)
    .executeTakeFirst();
  return urgent ? undefined : end;
}

function asQuiet({ from, until, timeZone }: NonNullable<ChannelRow['quietHours']>) {
  return { from, until, timeZone, urgent: [] };
}

async function messageOf(
  { db, settings }: Pick<DeliverParts, 'db' | 'settings'>,
  { id, event, title, alertIds, ownerId }: DeliveryRow,
): Promise<AlertMessage> {
  const alerts = await db
    .selectFrom('alerts')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', sql<string>`any(${alertIds}::uuid[])`)
    .orderBy('id')
    .execute();
  return { id, event, title, alerts, origin: settings.publicUrl.origin };
}

/** Sends a message to a service. */
export async function send(
  parts: DeliverParts,
  { id, type, sealedAddress, sealedSecret }: ChannelRow,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<PostResult> {
  const { settings, patience } = parts;
  if (type === 'mail' || sealedAddress === null) throw new Error('Mail is sent by the mail server.');
  const message = await messageOf(parts, delivery);
  if (delivery.event !== 'test' && message.alerts.length === 0) return failure('What it told of is gone.');
  const place = openPlace(parts.secrets, { id, sealedAddress, sealedSecret });
  if (!place) return failure("The channel's address can't be read any more. Enter it again.");
  const post = { id: delivery.id, body: JSON.stringify(bodyFor(type, message)), ...place };
  return postMessage(post, { signal, allowPrivate: settings.allowPrivateWebhooks, patience });
}

/** Where a message goes, and what it is signed with; undefined where these were sealed with another key. */
function openPlace(
  secrets: DeliverParts['secrets'],
  { id, sealedAddress, sealedSecret }: Pick<ChannelRow, 'id' | 'sealedSecret'> & { sealedAddress: Buffer },
): { address: string; secret: string | null } | undefined {
  try {
    return {
      address: secrets.open(sealedAddress, addressContext(id)),
      secret: sealedSecret === null ? null : secrets.open(sealedSecret, secretContext(id)),
    };
  } catch {
    return undefined;
  }
}

/** What came of a message that no service was asked to take; '' where all is well. */
function failure(problem: string): PostResult {
  return { status: null, answer: '', problem, again: false, retryAfter: 0 };
}

/** Hands a message over to the mail queue, in the transaction that says so: it is mailed once. */
async function sendMail(
  parts: DeliverParts,
  { userId }: ChannelRow,
  delivery: DeliveryRow,
): Promise<undefined> {
  const { db, mail } = parts;
  const message = await messageOf(parts, delivery);
  await atomically(db, async (trx) => {
    const reader = await trx
      .selectFrom('users')
      .select(['email', 'disabledAt'])
      .where('id', '=', userId)
      .executeTakeFirst();
    const isDisabled = reader?.disabledAt != null;
    const problem = mail.isOn ? '' : 'This server sends no mail.';
    await noteResult(trx, delivery, failure(isDisabled ? 'The account is disabled.' : problem));
    if (!reader || isDisabled || message.alerts.length === 0) return;
    await mail.queueMail(trx, {
      to: reader.email,
      subject: delivery.title,
      lines: linesOf(message),
      action: { label: 'Open in the console', url: pageOf(message) },
      once: `alert-delivery:${delivery.id}`,
    });
  });
  return undefined;
}
