import type { CustomDomain, DomainCertificateChange, NewDomainCertificate } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound, unavailable } from '../../core/errors.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { readCertificate } from '../certificates/read-certificate.ts';
import type { CustomDomainsParts } from './custom-domains.ts';
import { keyContext } from './key-context.ts';
import { type ByDomain, lockPlace, type Place } from './place.ts';
import { findDomain } from './service.ts';
import { showDomain } from './show-domain.ts';

type CertificateParts = Pick<CustomDomainsParts, 'settings' | 'secrets' | 'orders'>;

/**
 * Puts a certificate in the place of a domain's former one, if any, for good: the authority's never takes its place. Throws
 * 400, 404, and 503 while HTTPS is off.
 */
export async function setCertificate(
  { db, ownerId }: UserContext,
  parts: CertificateParts,
  { kind, id, ...input }: Place & z.output<typeof NewDomainCertificate>,
): Promise<CustomDomain> {
  if (parts.settings.httpsPort === 0) {
    throw unavailable('HTTPS is off on this server. An administrator can turn it on with HTTPS_PORT.');
  }
  return change({ db, ownerId }, parts, { kind, id, domain: input.domain }, async (trx, domainId) => {
    const { key, ...certificate } = readCertificate(input, await databaseNow(trx));
    const stored = {
      ...certificate,
      sealedKey: parts.secrets.seal(key, keyContext(domainId)),
      managed: false,
    };
    await trx
      .insertInto('domainCertificates')
      .values({ domainId, ownerId, ...stored })
      .onConflict((conflict) =>
        conflict.column('domainId').doUpdateSet({ ...stored, updatedAt: sql<string>`now()` }),
      )
      .execute();
    await deleteOrder(trx, { domainId, ownerId });
  });
}

/**
 * Asks the authority for a domain's certificate now, where it refused before. Throws 404, 409, 429 where it was asked too
 * often or said how long to wait, and 503 where there is none.
 */
export async function issueCertificate(
  { db, ownerId }: UserContext,
  parts: CertificateParts,
  of: ByDomain,
): Promise<CustomDomain> {
  const { orders } = parts;
  if (!orders) {
    throw unavailable('No certificate authority is set up. An administrator can set ACME_EMAIL.');
  }
  return change({ db, ownerId }, parts, of, async (trx, domainId) => {
    await orders.tryAgain(trx, { domainId, ownerId });
  });
}

/** Says whether a domain redirects to https. Throws 404, also where it has no certificate. */
export async function updateCertificate(
  { db, ownerId }: UserContext,
  parts: CertificateParts,
  { httpsOnly, ...of }: Place & z.output<typeof DomainCertificateChange>,
): Promise<CustomDomain> {
  return change({ db, ownerId }, parts, of, async (trx, domainId) => {
    const { numUpdatedRows } = await trx
      .updateTable('domainCertificates')
      .set({ httpsOnly })
      .where('ownerId', '=', ownerId)
      .where('domainId', '=', domainId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
  });
}

/** Throws 404, also where the domain has none, and 409 for one that is renewed by itself. */
export async function removeCertificate(
  { db, ownerId }: UserContext,
  parts: CertificateParts,
  of: ByDomain,
): Promise<{ success: true }> {
  await change({ db, ownerId }, parts, of, async (trx, domainId) => {
    if (parts.orders && (await isManaged(trx, { domainId, ownerId }))) {
      throw conflict(
        'MANAGED',
        'This certificate is renewed automatically. Add one of your own to replace it, or remove the domain.',
      );
    }
    const { numDeletedRows } = await trx
      .deleteFrom('domainCertificates')
      .where('ownerId', '=', ownerId)
      .where('domainId', '=', domainId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
    await deleteOrder(trx, { domainId, ownerId });
    await parts.orders?.want(trx, { id: domainId, ownerId });
  });
  return { success: true };
}

interface OfOwner {
  domainId: string;
  ownerId: string;
}

async function deleteOrder(trx: Kysely<Database>, { domainId, ownerId }: OfOwner): Promise<void> {
  await trx
    .deleteFrom('certificateOrders')
    .where('ownerId', '=', ownerId)
    .where('domainId', '=', domainId)
    .execute();
}

async function isManaged(trx: Kysely<Database>, { domainId, ownerId }: OfOwner): Promise<boolean> {
  const found = await trx
    .selectFrom('domainCertificates')
    .select('managed')
    .where('ownerId', '=', ownerId)
    .where('domainId', '=', domainId)
    .executeTakeFirst();
  return found?.managed ?? false;
}

/** Changes a domain's certificate under the lock of what it leads to, and returns the domain as it is then. */
async function change(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: CertificateParts,
  of: ByDomain,
  write: (trx: Kysely<Database>, domainId: string) => Promise<void>,
): Promise<CustomDomain> {
  return atomically(db, async (trx) => {
    await lockPlace(trx, ownerId, of);
    const row = await findDomain(trx, ownerId, of);
    await write(trx, row.id);
    return showDomain(trx, parts, row);
  });
}
