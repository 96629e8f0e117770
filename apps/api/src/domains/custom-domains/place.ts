import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { lockBucket } from '../buckets/service.ts';
import { lockProject } from '../projects/read.ts';
import { SITES_LABEL } from './look.ts';

/** What domains lead to: a project's app, or the site of a bucket. */
export interface Place {
  kind: 'project' | 'bucket';
  id: string;
}

export interface ByDomain extends Place {
  domain: string;
}

type Owner = Pick<UserContext, 'db' | 'ownerId'>;

/** The column that says it, of domains and of records that follow. */
export function columnOf({ kind }: Pick<Place, 'kind'>): 'projectId' | 'bucketId' {
  return kind === 'project' ? 'projectId' : 'bucketId';
}

/** The label below the domain of apps that its domains lead to. Throws 404 where it is not the owner's. */
export async function labelOf({ db, ownerId }: Owner, { kind, id }: Place): Promise<string> {
  if (kind === 'project') {
    const own = db.selectFrom('projects').select('slug').where('ownerId', '=', ownerId);
    const project = await own.where('id', '=', id).executeTakeFirst();
    if (!project) throw notFound();
    return project.slug;
  }
  const own = db.selectFrom('buckets').select('id').where('ownerId', '=', ownerId);
  if (!(await own.where('id', '=', id).executeTakeFirst())) throw notFound();
  return SITES_LABEL;
}

/** Keeps what its domains are from other changes until the transaction ends. Throws 404. */
export async function lockPlace(trx: Kysely<Database>, ownerId: string, { kind, id }: Place): Promise<void> {
  if (kind === 'bucket') await lockBucket(trx, ownerId, id);
  else if (!(await lockProject(trx, ownerId, id))) throw notFound();
}

/** An owner's domains that lead there, or to any of several. */
export function domainsOf(
  db: Kysely<Database>,
  ownerId: string,
  place: Pick<Place, 'kind'> & { id: string | readonly string[] },
) {
  return db
    .selectFrom('customDomains')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where(columnOf(place), 'in', [place.id].flat());
}
