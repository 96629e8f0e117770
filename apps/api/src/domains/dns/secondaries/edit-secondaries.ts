import { randomBytes } from 'node:crypto';
import {
  type DnsSecondary,
  type DnsTransferKey,
  type dns,
  MAX_SECONDARIES,
  type NewDnsSecondary,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict, forbidden, invalid, notFound } from '../../../core/errors.ts';
import type { Settings } from '../../../core/settings.ts';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import { lockZone, type ZoneRow } from '../zones.ts';
import { secondariesOf } from './list-secondaries.ts';
import { faultOfPlace } from './reachable.ts';
import { keyContext } from './sealed-rules.ts';

/** Octets: as many as the digest of `hmac-sha256` has (RFC 2104 §3). */
const SECRET_BYTES = 32;
/** A single label, which no message compresses; octets of it that are random, so that no two zones share a name. */
const KEY_NAME = 'nephos-';
const KEY_NAME_BYTES = 6;

/** Changes who may copy a zone of theirs, which tells the name servers. Throws 404. */
function changeRules<T>(
  { db, ownerId }: UserContext,
  domain: string,
  change: (trx: Kysely<Database>, zone: ZoneRow) => Promise<T>,
): Promise<T> {
  return atomically(db, async (trx) => {
    const zone = await lockZone(trx, ownerId, domain);
    if (!zone) throw notFound();
    const result = await change(trx, zone);
    await trx
      .updateTable('dnsZones')
      .set({ transferVersion: sql<number>`transfer_version + 1` })
      .where('ownerId', '=', ownerId)
      .where('id', '=', zone.id)
      .execute();
    return result;
  });
}

/** Lets a name server copy a domain. Throws 400, 403 QUOTA_EXCEEDED, 404, and 409 DUPLICATE. */
export function addSecondary(
  ctx: UserContext,
  settings: Pick<Settings, 'allowPrivateSecondaries'>,
  { domain, address, port }: z.output<typeof NewDnsSecondary>,
): Promise<DnsSecondary> {
  const fault = faultOfPlace({ address, port }, settings);
  if (fault) throw invalid(fault.message, [fault]);
  const { ownerId } = ctx;
  return changeRules(ctx, domain, async (trx, { id: zoneId }) => {
    const there = await trx
      .selectFrom('dnsSecondaries')
      .select(['address', 'port'])
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zoneId)
      .execute();
    if (there.some((other) => other.address === address && other.port === port)) {
      throw conflict('DUPLICATE', `${domain} already has a secondary at ${address}, port ${port}.`);
    }
    if (there.length >= MAX_SECONDARIES) {
      throw forbidden('QUOTA_EXCEEDED', `A domain can have at most ${MAX_SECONDARIES} secondaries.`);
    }
    const { id } = await trx
      .insertInto('dnsSecondaries')
      .values({ ownerId, zoneId, address, port })
      .returning('id')
      .executeTakeFirstOrThrow();
    return secondariesOf(trx, ownerId).where('secondary.id', '=', id).executeTakeFirstOrThrow();
  });
}

/** Throws 404. */
export async function removeSecondary(
  ctx: UserContext,
  { domain, id }: z.output<typeof dns.removeSecondary.input>,
): Promise<{ success: true }> {
  await changeRules(ctx, domain, async (trx, zone) => {
    const { numDeletedRows } = await trx
      .deleteFrom('dnsSecondaries')
      .where('ownerId', '=', ctx.ownerId)
      .where('zoneId', '=', zone.id)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
  });
  return { success: true };
}

/** Makes a domain's key, with which alone it is copied from now on. Its secret is told here and nowhere else. Throws 404. */
export function renewTransferKey(
  ctx: UserContext,
  secrets: Pick<SecretsBox, 'seal'>,
  domain: string,
): Promise<DnsTransferKey> {
  const { ownerId } = ctx;
  const name = KEY_NAME + randomBytes(KEY_NAME_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64');
  return changeRules(ctx, domain, async (trx, { id: zoneId }) => {
    const key = { name, sealedSecret: secrets.seal(secret, keyContext(zoneId)) };
    await trx
      .insertInto('dnsTransferKeys')
      .values({ zoneId, ownerId, ...key })
      .onConflict((existing) =>
        existing.column('zoneId').doUpdateSet({ ...key, createdAt: sql<string>`clock_timestamp()` }),
      )
      .execute();
    // Each is told with the new key, and shows whether it knows it.
    await trx
      .updateTable('dnsSecondaries')
      .set({ toldSerial: null })
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zoneId)
      .execute();
    return { name, algorithm: 'hmac-sha256', secret };
  });
}
