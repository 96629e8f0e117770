import {
  type CustomDomain,
  type CustomDomainChange,
  type CustomDomains,
  relativeName,
} from '@nephos/contracts';
import { MAX_CUSTOM_DOMAINS } from '@nephos/contracts/constants';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { removeAppRecords } from './app-records/remove-app-records.ts';
import { recordCheck } from './check.ts';
import { assertNew, assertNotOurs, taken } from './claim-rules.ts';
import type { CustomDomainsParts } from './custom-domains.ts';
import { targetOf } from './look.ts';
import { type ByDomain, columnOf, domainsOf, labelOf, lockPlace, type Place } from './place.ts';
import { type DomainRow, lockClaim, lockDomain } from './proof.ts';
import { showDomain, showDomains } from './show-domain.ts';

/** Throws 404. */
export async function listDomains(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  place: Place,
): Promise<CustomDomains> {
  const label = await labelOf({ db, ownerId }, place);
  const rows = await domainsOf(db, ownerId, place).orderBy('id').execute();
  const newest = rows.toSorted((a, b) => (b.checkedAt ?? '').localeCompare(a.checkedAt ?? ''))[0];
  return {
    target: targetOf(parts.settings, label),
    addresses: newest?.serverAddresses ?? [],
    served: await servedOf(db, ownerId, rows),
    servesHttps: parts.settings.httpsPort !== 0,
    domains: await showDomains(db, parts, rows),
  };
}

/**
 * Adds a domain, once per key, and looks for the proof at once, before there is a transaction, which would wait for it.
 * Throws 400, 403 QUOTA_EXCEEDED, 404, 409 EXISTS or DOMAIN_TAKEN, and 503 while too much is being looked for.
 */
export async function addDomain(
  { db, ownerId }: UserContext,
  parts: CustomDomainsParts,
  { domain, ...place }: ByDomain,
  once: Once<UserContext>,
) {
  // Before anything is asked of DNS for somebody who has no such project or bucket.
  const slug = await labelOf({ db, ownerId }, place);
  assertNotOurs(parts.settings, domain);
  const seen = await parts.look(ownerId, { ownerId, domain, slug });
  return once((inner) =>
    atomically(inner.db, async (trx) => {
      await lockPlace(trx, ownerId, place);
      await assertNew(trx, ownerId, { placeId: place.id, domain });
      const others = await domainsOf(trx, ownerId, place).execute();
      if (others.length >= MAX_CUSTOM_DOMAINS) {
        throw forbidden('QUOTA_EXCEEDED', `A ${place.kind} can have up to ${MAX_CUSTOM_DOMAINS} domains.`);
      }
      await lockDomain(trx, domain);
      const isPrimary = !others.some((other) => other.isPrimary);
      const added = await trx
        .insertInto('customDomains')
        .values({ ownerId, [columnOf(place)]: place.id, domain, isPrimary })
        .returningAll()
        .executeTakeFirstOrThrow();
      const row = await recordCheck(trx, parts, added, seen);
      if (row.problem === 'taken') throw taken(parts, row);
      return showDomain(trx, parts, row);
    }),
  );
}

/** Looks at a domain's DNS records again, as `addDomain` does. Throws 404, and 503 while too much is being looked for. */
export async function checkDomain(
  { db, ownerId }: UserContext,
  parts: CustomDomainsParts,
  { domain, ...place }: ByDomain,
  once: Once<UserContext>,
) {
  const slug = await labelOf({ db, ownerId }, place);
  const { id } = await findDomain(db, ownerId, { ...place, domain });
  const seen = await parts.look(ownerId, { ownerId, domain, slug });
  return once((inner) =>
    atomically(inner.db, async (trx) => {
      const row = await lockClaim(trx, { id, ownerId, domain });
      if (!row) throw notFound();
      return showDomain(trx, parts, await recordCheck(trx, parts, row, seen));
    }),
  );
}

/** Makes a domain the primary one, or has it redirect to that. Throws 404 and 409. */
export async function updateDomain(
  { db, ownerId }: UserContext,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  { domain, isPrimary, redirects, ...place }: Place & z.output<typeof CustomDomainChange>,
): Promise<CustomDomain> {
  return atomically(db, async (trx) => {
    await lockPlace(trx, ownerId, place);
    const current = await findDomain(trx, ownerId, { ...place, domain });
    const becomesPrimary = isPrimary === true && !current.isPrimary;
    if (redirects && (current.isPrimary || becomesPrimary)) {
      throw conflict(
        'IS_PRIMARY',
        "The primary domain can't redirect to itself. Make another domain the primary one first.",
      );
    }
    if (becomesPrimary) await makePrimary(trx, place, current);
    if (redirects !== undefined) {
      await trx
        .updateTable('customDomains')
        .set({ redirects })
        .where('ownerId', '=', ownerId)
        .where('id', '=', current.id)
        .execute();
    }
    return showDomain(trx, parts, await findDomain(trx, ownerId, { ...place, domain }));
  });
}

/**
 * Removes a domain, with the DNS records that lead there if that is asked. The one that is verified longest takes the
 * place of the primary one. Throws 404, and 409 where another record needs one of those.
 */
export async function removeDomain(
  ctx: UserContext,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  { domain, deleteRecords, ...place }: ByDomain & { deleteRecords: boolean },
): Promise<{ success: true }> {
  const { db, ownerId } = ctx;
  await atomically(db, async (trx) => {
    if (deleteRecords) await removeAppRecords({ ...ctx, db: trx }, parts, { ...place, domain });
    await lockPlace(trx, ownerId, place);
    const { id, isPrimary } = await findDomain(trx, ownerId, { ...place, domain });
    await trx.deleteFrom('customDomains').where('ownerId', '=', ownerId).where('id', '=', id).execute();
    if (!isPrimary) return;
    const next = await domainsOf(trx, ownerId, place)
      .orderBy('provenAt', (order) => order.asc().nullsLast())
      .orderBy('id')
      .executeTakeFirst();
    if (next) await makePrimary(trx, place, next);
  });
  return { success: true };
}

/** In the place of the former one, under the lock of what they lead to. */
async function makePrimary(
  trx: Kysely<Database>,
  place: Place,
  { id, ownerId }: Pick<DomainRow, 'id' | 'ownerId'>,
): Promise<void> {
  const own = trx.updateTable('customDomains').where('ownerId', '=', ownerId);
  await own
    .set({ isPrimary: false })
    .where(columnOf(place), '=', place.id)
    .where('isPrimary', '=', true)
    .execute();
  await own.set({ isPrimary: true, redirects: false }).where('id', '=', id).execute();
}

/** Throws 404. */
export async function findDomain(
  db: Kysely<Database>,
  ownerId: string,
  { domain, ...place }: ByDomain,
): Promise<DomainRow> {
  const row = await domainsOf(db, ownerId, place).where('domain', '=', domain).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Which of the domains are in zones of the owner's that are served here. */
async function servedOf(
  db: Kysely<Database>,
  ownerId: string,
  domains: readonly Pick<DomainRow, 'domain'>[],
): Promise<string[]> {
  const zones = await db
    .selectFrom('dnsZones')
    .select('domain')
    .where('ownerId', '=', ownerId)
    .where('verifiedAt', 'is not', null)
    .execute();
  return domains.flatMap(({ domain }) =>
    zones.some((zone) => relativeName(domain, zone.domain) !== undefined) ? [domain] : [],
  );
}
