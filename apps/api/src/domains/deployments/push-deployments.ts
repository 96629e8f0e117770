import { imageReferenceOf } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { PushedTags } from '../containers/registry/manifest-push.ts';
import { type CauseParts, deployForCause } from './deploy-for-cause.ts';

/**
 * Queues a deployment of each of the owner's projects whose image one of these tags is, in the transaction of the push.
 * Where a deployment is refused or fails to be queued, the project's events say so, and the push is none the worse.
 */
export async function deployPushed(
  trx: Kysely<Database>,
  parts: CauseParts,
  { owner, name, tags }: PushedTags,
): Promise<void> {
  const { host } = parts.settings.publicUrl;
  const tagOf = new Map(
    tags.map((tag) => [imageReferenceOf({ host, path: name, tag, digest: '' }), tag] as const),
  );
  const projects = await trx
    .selectFrom('projects')
    .selectAll()
    .where('ownerId', '=', owner.id)
    .where('image', 'in', [...tagOf.keys()])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const project of projects) {
    const cause = `Pushed ${name}:${tagOf.get(project.image)}`;
    await deployForCause(trx, parts, { owner, project, cause });
  }
}
