import type { CustomDomain, DomainCertificateChange, NewDomainCertificate } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound, unavailable } from '../../core/errors.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { lockProject } from '../projects/read.ts';
import type { CustomDomainsParts } from './custom-domains.ts';
import { keyContext } from './key-context.ts';
import { readCertificate } from './read-certificate.ts';
import { type ByDomain, findDomain } from './service.ts';
import { showDomain } from './show-domain.ts';

/** Puts a certificate in the place of a domain's former one, if any. Throws 400, 404, and 503 while HTTPS is off. */
export async function setCertificate(
  { db, ownerId }: UserContext,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  { id, ...input }: z.output<typeof NewDomainCertificate>,
): Promise<CustomDomain> {
  if (parts.settings.httpsPort === 0) {
    throw unavailable('HTTPS is off on this server. An administrator can turn it on with HTTPS_PORT.');
  }
  return change({ db, ownerId }, parts, { id, domain: input.domain }, async (trx, domainId) => {
    const { key, ...certificate } = readCertificate(input, await databaseNow(trx));
    const stored = { ...certificate, sealedKey: parts.secrets.seal(key, keyContext(domainId)) };
    await trx
      .insertInto('domainCertificates')
      .values({ domainId, ownerId, ...stored })
      .onConflict((conflict) =>
        conflict.column('domainId').doUpdateSet({ ...stored, updatedAt: sql<string>`now()` }),
      )
      .execute();
  });
}

/** Says whether a domain redirects to https. Throws 404, also where it has no certificate. */
export async function updateCertificate(
  { db, ownerId }: UserContext,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  { id, domain, httpsOnly }: z.output<typeof DomainCertificateChange>,
): Promise<CustomDomain> {
  return change({ db, ownerId }, parts, { id, domain }, async (trx, domainId) => {
    const { numUpdatedRows } = await trx
      .updateTable('domainCertificates')
      .set({ httpsOnly })
      .where('ownerId', '=', ownerId)
      .where('domainId', '=', domainId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
  });
}

/** Throws 404, also where the domain has none. */
export async function removeCertificate(
  { db, ownerId }: UserContext,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  of: ByDomain,
): Promise<{ success: true }> {
  await change({ db, ownerId }, parts, of, async (trx, domainId) => {
    const { numDeletedRows } = await trx
      .deleteFrom('domainCertificates')
      .where('ownerId', '=', ownerId)
      .where('domainId', '=', domainId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
  });
  return { success: true };
}

/** Changes a domain's certificate under the project's lock, and returns the domain as it is then. */
async function change(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: Pick<CustomDomainsParts, 'settings' | 'secrets'>,
  of: ByDomain,
  write: (trx: Kysely<Database>, domainId: string) => Promise<void>,
): Promise<CustomDomain> {
  return atomically(db, async (trx) => {
    if (!(await lockProject(trx, ownerId, of.id))) throw notFound();
    const row = await findDomain(trx, ownerId, of);
    await write(trx, row.id);
    return showDomain(trx, parts, row);
  });
}
