import type { CustomDomain, CustomDomains } from '@nephos/contracts';
import { MAX_CUSTOM_DOMAINS } from '@nephos/contracts/constants';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { recordCheck } from './check.ts';
import { assertNew, assertNotOurs, taken } from './claim-rules.ts';
import type { CustomDomainsParts } from './custom-domains.ts';
import { SITES_LABEL, targetOf } from './look.ts';
import { type DomainRow, lockClaim, lockDomain } from './proof.ts';
import { showDomain, showDomains } from './show-domain.ts';

interface OfBucket {
  /** The bucket, which is the owner's. */
  id: string;
  domain: string;
}

/** The domains of a bucket, oldest first, and what their records have to lead to. */
export async function listSiteDomains(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  bucketId: string,
): Promise<Omit<CustomDomains, 'served'>> {
  const rows = await domainsOf(db, ownerId, bucketId).orderBy('id').execute();
  const newest = rows.toSorted((a, b) => (b.checkedAt ?? '').localeCompare(a.checkedAt ?? ''))[0];
  return {
    target: targetOf(parts.settings, SITES_LABEL),
    addresses: newest?.serverAddresses ?? [],
    servesHttps: parts.settings.httpsPort !== 0,
    domains: await showDomains(db, parts, rows),
  };
}

/**
 * Adds a domain to a bucket that `hold` finds and keeps, once per key, and looks for the proof at once. Throws 400, 403
 * QUOTA_EXCEEDED, 409 EXISTS or DOMAIN_TAKEN, 503 while too much is being looked for, and what `hold` throws.
 */
export async function addSiteDomain(
  { ownerId }: UserContext,
  parts: CustomDomainsParts,
  { id: bucketId, domain }: OfBucket,
  { once, hold }: { once: Once<UserContext>; hold: (trx: Kysely<Database>) => Promise<unknown> },
) {
  assertNotOurs(parts.settings, domain);
  const seen = await parts.look(ownerId, { ownerId, domain, slug: SITES_LABEL });
  return once((inner) =>
    atomically(inner.db, async (trx) => {
      await hold(trx);
      await assertNew(trx, ownerId, { placeId: bucketId, domain });
      const others = await domainsOf(trx, ownerId, bucketId).execute();
      if (others.length >= MAX_CUSTOM_DOMAINS) {
        throw forbidden('QUOTA_EXCEEDED', `A bucket can have up to ${MAX_CUSTOM_DOMAINS} domains.`);
      }
      await lockDomain(trx, domain);
      const added = await trx
        .insertInto('customDomains')
        .values({ ownerId, bucketId, domain, isPrimary: false })
        .returningAll()
        .executeTakeFirstOrThrow();
      const row = await recordCheck(trx, parts, added, seen);
      if (row.problem === 'taken') throw taken(parts, row);
      return showDomain(trx, parts, row);
    }),
  );
}

/** Looks at a domain's DNS records again. Throws 404, and 503 while too much is being looked for. */
export async function checkSiteDomain(
  { db, ownerId }: UserContext,
  parts: CustomDomainsParts,
  { id: bucketId, domain }: OfBucket,
  once: Once<UserContext>,
) {
  const { id } = await findSiteDomain(db, ownerId, { id: bucketId, domain });
  const seen = await parts.look(ownerId, { ownerId, domain, slug: SITES_LABEL });
  return once((inner) =>
    atomically(inner.db, async (trx): Promise<CustomDomain> => {
      const row = await lockClaim(trx, { id, ownerId, domain });
      if (!row) throw notFound();
      return showDomain(trx, parts, await recordCheck(trx, parts, row, seen));
    }),
  );
}

/** Throws 404. */
export async function removeSiteDomain(
  { db, ownerId }: UserContext,
  { id: bucketId, domain }: OfBucket,
): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('customDomains')
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}

async function findSiteDomain(
  db: Kysely<Database>,
  ownerId: string,
  { id, domain }: OfBucket,
): Promise<DomainRow> {
  const row = await domainsOf(db, ownerId, id).where('domain', '=', domain).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

function domainsOf(db: Kysely<Database>, ownerId: string, bucketId: string) {
  return db
    .selectFrom('customDomains')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId);
}
