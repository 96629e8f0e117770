import {
  type AlertChannel,
  type AlertChannelChange,
  MAX_ALERT_CHANNELS,
  type NewAlertChannel,
  type QuietHours,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, invalid, notFound, type Refusal } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { isPublicAddress, unbracketed } from '../../platform/public-address.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { isTimeZone } from '../../platform/time-zone.ts';
import { randomToken } from '../auth/secret-token.ts';

export interface ChannelParts {
  settings: Pick<Settings, 'allowPrivateWebhooks'>;
  secrets: Pick<SecretsBox, 'seal'>;
}

/** Where a channel's address and secret are sealed for. */
export const addressContext = (id: string) => `alert-channel-address:${id}`;
export const secretContext = (id: string) => `alert-channel-secret:${id}`;

/** An owner's channels, as the contract shows them: not the mail of single persons. */
function channelsOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('alertChannels')
    .where('ownerId', '=', ownerId)
    .where('type', '<>', 'mail')
    .select(['id', 'type', 'name', 'shownAddress as address', 'kinds', 'projectId', 'quietHours', 'enabled'])
    .select(['failingSince', 'problem', 'createdAt'])
    .$castTo<AlertChannel>();
}

export function listChannels({ db, ownerId }: UserContext): Promise<AlertChannel[]> {
  return channelsOf(db, ownerId).orderBy('id').execute();
}

/** Throws 400, and 403 QUOTA_EXCEEDED. */
export function createChannel(
  { db, ownerId }: UserContext,
  { settings, secrets }: ChannelParts,
  { address, quietHours, ...input }: z.output<typeof NewAlertChannel>,
): Promise<AlertChannel> {
  const shownAddress = shownAs(address, settings);
  assertQuietHours(quietHours);
  return atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    await assertOwnProject(trx, ownerId, input.projectId);
    const there = await channelsOf(trx, ownerId).execute();
    if (there.length >= MAX_ALERT_CHANNELS) {
      throw forbidden(
        'QUOTA_EXCEEDED',
        `You can have at most ${MAX_ALERT_CHANNELS} channels. Delete one first.`,
      );
    }
    const { rows } = await sql<{ id: string }>`select uuid7() as id`.execute(trx);
    const id = rows[0]?.id ?? '';
    const isSigned = input.type === 'webhook';
    await trx
      .insertInto('alertChannels')
      .values({
        ...{ ...input, id, ownerId, shownAddress },
        quietHours: JSON.stringify(quietHours),
        sealedAddress: secrets.seal(address, addressContext(id)),
        sealedSecret: isSigned ? secrets.seal(randomToken(), secretContext(id)) : null,
      })
      .execute();
    return findChannel(trx, ownerId, id);
  });
}

/** Throws 400 and 404. */
export function updateChannel(
  { db, ownerId }: UserContext,
  { settings, secrets }: ChannelParts,
  { id, address, quietHours, ...input }: z.output<typeof AlertChannelChange>,
): Promise<AlertChannel> {
  const shownAddress = address === undefined ? undefined : shownAs(address, settings);
  assertQuietHours(quietHours);
  return atomically(db, async (trx) => {
    const { projectId } = await findChannel(trx, ownerId, id);
    // One that is gone may stay.
    if (input.projectId !== projectId) await assertOwnProject(trx, ownerId, input.projectId);
    await trx
      .updateTable('alertChannels')
      .set({
        ...input,
        id,
        ...(quietHours !== undefined && { quietHours: JSON.stringify(quietHours) }),
        ...(address !== undefined &&
          shownAddress !== undefined && {
            shownAddress,
            sealedAddress: secrets.seal(address, addressContext(id)),
            ...{ failingSince: null, problem: '' },
          }),
      })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    if (input.enabled === false) await dropWaiting(trx, { ownerId, channelId: id });
    return findChannel(trx, ownerId, id);
  });
}

/** What waits for a channel that was turned off is not told by it later, out of the blue. */
export async function dropWaiting(
  trx: Kysely<Database>,
  { ownerId, channelId }: { ownerId: string; channelId: string },
): Promise<void> {
  await trx
    .updateTable('alertDeliveries')
    .set({ state: 'failed', problem: 'The channel was turned off.' })
    .where('ownerId', '=', ownerId)
    .where('channelId', '=', channelId)
    .where('state', 'in', ['waiting', 'held'])
    .execute();
}

/** Throws 404. */
export async function removeChannel({ db, ownerId }: UserContext, id: string): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('alertChannels')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .where('type', '<>', 'mail')
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}

/** Makes what a webhook's messages are signed with from now on; told here and nowhere else. Throws 404 and 409. */
export async function renewSigningSecret(
  { db, ownerId }: UserContext,
  { secrets }: Pick<ChannelParts, 'secrets'>,
  id: string,
): Promise<{ secret: string }> {
  const { type } = await findChannel(db, ownerId, id);
  if (type !== 'webhook') throw conflict('NOT_SIGNED', 'Only messages to a webhook of your own are signed.');
  const secret = randomToken();
  await db
    .updateTable('alertChannels')
    .set({ sealedSecret: secrets.seal(secret, secretContext(id)) })
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .execute();
  return { secret };
}

/** Throws 404. */
export async function findChannel(db: Kysely<Database>, ownerId: string, id: string): Promise<AlertChannel> {
  const channel = await channelsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!channel) throw notFound();
  return channel;
}

/** Throws 400 for a project that is none of the owner's. */
export async function assertOwnProject(
  trx: Kysely<Database>,
  ownerId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id == null) return;
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!project) throw refused('projectId', 'There is no such project in this workspace.');
}

/** Throws 400 for quiet hours that are none. */
export function assertQuietHours(quiet: QuietHours | null | undefined): void {
  if (!quiet) return;
  if (quiet.from === quiet.until) throw refused('quietHours.until', 'Quiet hours must end at another time.');
  if (!isTimeZone(quiet.timeZone)) {
    const message = `${quiet.timeZone} is not a known time zone. Enter one like Europe/Berlin or UTC.`;
    throw refused('quietHours.timeZone', message);
  }
}

const REMEDY = 'Set ALLOW_PRIVATE_WEBHOOKS=1 on the server to allow it.';

/** How an address is shown: what follows the host is secret. Throws 400 for one that nothing is ever sent to. */
function shownAs(address: string, { allowPrivateWebhooks }: ChannelParts['settings']): string {
  const url = new URL(address);
  const host = unbracketed(url.hostname);
  if (url.username || url.password) throw refused('address', 'Enter the address without a user name.');
  if (!allowPrivateWebhooks) {
    if (url.protocol !== 'https:' || url.port !== '') {
      throw refused('address', `The address must begin with https:// and have no port. ${REMEDY}`);
    }
    const isName = !/^[\d.]+$|:/.test(host) && host.includes('.') && !host.endsWith('.localhost');
    if (!isName && !isPublicAddress(host))
      throw refused('address', `${host} is not a public address. ${REMEDY}`);
  }
  return `${url.origin}/…`;
}

function refused(path: string, message: string): Refusal {
  return invalid(message, [{ path, message }]);
}
