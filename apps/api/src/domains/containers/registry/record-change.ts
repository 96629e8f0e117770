import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { type Doer, record } from '../../../platform/audit.ts';
import type { Repository } from './repositories.ts';

/** A tag that names another image since a push. */
export interface ChangedTag {
  /** Of the image that the console shows for the tag. */
  id: string;
  tag: string;
  /** Digest that it named before; null where it named nothing. */
  former: string | null;
}

interface Change {
  repository: Repository;
  by: Doer;
}

/** Records a push in its transaction: for each tag that it changed, or where it names none, for the repository. */
export async function recordPush(
  trx: Kysely<Database>,
  { repository, by, digest, changed }: Change & { digest: string; changed: readonly ChangedTag[] },
): Promise<void> {
  const push = { ...by, ownerId: repository.ownerId, procedure: 'containers.pushImage' };
  if (changed.length === 0) {
    const subject = { kind: 'image', id: repository.id, name: repository.name };
    await record(trx, { ...push, subject, after: { digest } });
  }
  for (const { id, tag, former } of changed) {
    const subject = { kind: 'image', id, name: `${repository.name}:${tag}` };
    await record(trx, { ...push, subject, ...(former && { before: { digest: former } }), after: { digest } });
  }
}

/** What a client deleted. */
type Deleted = { id: string; tag: string; digest: string | null } | { digest: string; tags: string[] };

/** Records, in its transaction, that a client deleted a tag, or a manifest with all tags that named it. */
export async function recordDeletion(
  trx: Kysely<Database>,
  { repository, by, deleted }: Change & { deleted: Deleted },
): Promise<void> {
  const { id: repositoryId, ownerId, name } = repository;
  const about =
    'tag' in deleted
      ? { id: deleted.id, name: `${name}:${deleted.tag}`, before: { digest: deleted.digest } }
      : { id: repositoryId, name, before: { digest: deleted.digest, tags: deleted.tags } };
  const { before, ...subject } = about;
  await record(trx, {
    ...{ ...by, ownerId, procedure: 'containers.deleteImage' },
    ...{ subject: { kind: 'image', ...subject }, before },
  });
}
