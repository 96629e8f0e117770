import { relativeName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { conflict, invalid } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { CustomDomainsParts } from './custom-domains.ts';
import { type DomainRow, proofOf } from './proof.ts';

/** Refuses the names at which the console and all apps answer, and those below them. */
export function assertNotOurs({ publicUrl, appsDomain }: Settings, domain: string): void {
  const own = [publicUrl.hostname, appsDomain].find((name) => relativeName(domain, name) !== undefined);
  if (own === undefined) return;
  const message = `${domain} can't be added because this console uses ${own}. Enter a domain of your own.`;
  throw invalid(message, [{ path: 'domain', message }]);
}

/** An account has a domain in one project or bucket. */
export async function assertNew(
  trx: Kysely<Database>,
  ownerId: string,
  { placeId, domain }: { placeId: string; domain: string },
): Promise<void> {
  const there = await trx
    .selectFrom('customDomains')
    .leftJoin('projects', 'projects.id', 'customDomains.projectId')
    .leftJoin('buckets', 'buckets.id', 'customDomains.bucketId')
    .select(['customDomains.id', 'customDomains.projectId', 'customDomains.bucketId'])
    .select(sql<string>`coalesce(projects.name, buckets.name)`.as('name'))
    .where('customDomains.ownerId', '=', ownerId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (!there) return;
  const kind = there.projectId === null ? 'bucket' : 'project';
  const message =
    (there.projectId ?? there.bucketId) === placeId
      ? `This ${kind} already has ${domain}.`
      : `Your ${kind} ${there.name} already has ${domain}. Remove it there first.`;
  throw conflict('EXISTS', message, there.id);
}

/** 409: with the proof by which its owner gets it nevertheless. */
export function taken(parts: Pick<CustomDomainsParts, 'secrets'>, row: DomainRow) {
  const { name, value } = proofOf(parts, row);
  return conflict(
    'DOMAIN_TAKEN',
    `Another workspace has ${row.domain}. If you own it, set the TXT record ${name} to ${value}, with no other value, and try again.`,
  );
}
