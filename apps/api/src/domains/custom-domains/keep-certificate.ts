import { sql } from 'kysely';
import { databaseNow } from '../../platform/database-clock.ts';
import type { KeepCertificate } from '../certificates/orders.ts';
import { readCertificate } from '../certificates/read-certificate.ts';
import { keyContext } from './key-context.ts';
import { lockClaim } from './proof.ts';

/** Takes what the authority issued for a domain, unless its owner gave another, or lost the domain meanwhile. */
export const keepCertificate: KeepCertificate = async (trx, { secrets }, claim, issued) => {
  const row = await lockClaim(trx, claim);
  if (!row?.provenAt) return undefined;
  const { id: domainId, ownerId, domain } = row;
  const { key, ...certificate } = readCertificate({ domain, ...issued }, await databaseNow(trx));
  const stored = { ...certificate, sealedKey: secrets.seal(key, keyContext(domainId)) };
  await trx
    .insertInto('domainCertificates')
    .values({ domainId, ownerId, ...stored, managed: true })
    .onConflict((conflict) =>
      conflict
        .column('domainId')
        .doUpdateSet({ ...stored, updatedAt: sql<string>`now()` })
        .where('domainCertificates.managed', '=', true),
    )
    .execute();
  return certificate.chain;
};
