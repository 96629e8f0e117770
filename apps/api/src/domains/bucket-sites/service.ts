import type { BucketSite, bucketSites } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { lockBucket } from '../buckets/service.ts';
import type { CustomDomainsParts } from '../custom-domains/custom-domains.ts';
import { listDomains } from '../custom-domains/service.ts';

type Rows = typeof bucketSites;

/** Throws 404. */
export async function findSite(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: CustomDomainsParts,
  id: string,
): Promise<BucketSite> {
  const own = db.selectFrom('buckets').select('site').where('ownerId', '=', ownerId);
  const bucket = await own.where('id', '=', id).executeTakeFirst();
  if (!bucket) throw notFound();
  const { index = null, notFound: missing = null } = bucket.site ?? {};
  return { index, notFound: missing, ...(await listDomains({ db, ownerId }, parts, { kind: 'bucket', id })) };
}

/** Throws 404, and 409 NOT_PUBLIC: a site is for anybody, so its files have to be. */
export async function setSite(
  { db, ownerId, audit }: UserContext,
  parts: CustomDomainsParts,
  { id, index, notFound: missing }: z.output<Rows['set']['input']>,
): Promise<BucketSite> {
  await atomically(db, async (trx) => {
    const { name, isPublic, site: before } = await lockBucket(trx, ownerId, id);
    if (!isPublic) throw conflict('NOT_PUBLIC', `${name} is private. Make it public first.`);
    const after = { index, notFound: missing };
    audit.note({ subject: { name }, before: { site: before }, after: { site: after } });
    await writeSite(trx, ownerId, { id, site: JSON.stringify(after) });
  });
  return findSite({ db, ownerId }, parts, id);
}

/** Throws 404. */
export function removeSite({ db, ownerId, audit }: UserContext, id: string): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    const { name, site } = await lockBucket(trx, ownerId, id);
    audit.note({ subject: { name }, before: { site }, after: { site: null } });
    await writeSite(trx, ownerId, { id, site: null });
    return { success: true };
  });
}

async function writeSite(
  trx: Kysely<Database>,
  ownerId: string,
  { id, site }: { id: string; site: string | null },
): Promise<void> {
  await trx
    .updateTable('buckets')
    .set({ site })
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .execute();
}
