import type { RetentionRule } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { databaseNow } from '../../../platform/database-clock.ts';
import { type Deletion, measureDeletion } from '../deletion.ts';
import { readNeeded } from '../needed.ts';
import type { OwnHost } from '../own-images.ts';
import { planUntaggedDeletion } from '../untagged.ts';
import { imageOfTag, type JudgedTag, judgeTags, type PushedTag } from './judge-tags.ts';

async function readTags(db: Kysely<Database>, repositoryId: string): Promise<PushedTag[]> {
  const rows = await db
    .selectFrom('containerImages')
    .select(['id', 'tag', 'digest', 'pushedAt'])
    .where('repositoryId', '=', repositoryId)
    .orderBy('pushedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const tags = rows.flatMap(({ digest, pushedAt, ...tag }) =>
    // A tag that is only reserved names nothing.
    digest === null || pushedAt === null ? [] : [{ ...tag, digest, pushedAt }],
  );
  const others = tags.flatMap(({ tag }) => imageOfTag(tag) ?? []);
  const there = await db
    .selectFrom('containerManifests')
    .select('digest')
    .where('repositoryId', '=', repositoryId)
    .where('digest', '=', sql<string>`any(${others}::text[])`)
    .execute();
  const digests = new Set(there.map(({ digest }) => digest));
  return tags.map((tag) => ({ ...tag, isOfOther: digests.has(imageOfTag(tag.tag) ?? '') }));
}

/**
 * What a rule would do now in a repository whose owner was made sure of: every tag with what becomes of it, and what
 * goes with those that go. Nothing that a project needs is among it, nor what a tag needs that stays.
 */
export async function planRetention(
  db: Kysely<Database>,
  settings: OwnHost,
  { repositoryId, rule }: { repositoryId: string; rule: RetentionRule },
): Promise<{ tags: JudgedTag[]; going: JudgedTag[]; deletion: Deletion }> {
  const [needed, now] = [await readNeeded(db, settings, repositoryId), await databaseNow(db)];
  const tags = judgeTags(rule, await readTags(db, repositoryId), { needed, now });
  const going = tags.filter(({ keptBecause }) => keptBecause === '');
  const ids = going.map(({ id }) => id);
  const after = await planUntaggedDeletion(db, settings, repositoryId, ids);
  if (rule.untagged) return { tags, going, deletion: after };
  const before = new Set((await planUntaggedDeletion(db, settings, repositoryId)).manifests);
  const manifests = after.manifests.filter((digest) => !before.has(digest));
  return { tags, going, deletion: await measureDeletion(db, repositoryId, manifests) };
}
