import type { Database } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conflict, type Refusal } from '../../core/errors.ts';
import { BUILD_REPOSITORY, type OwnHost } from './own-images.ts';

/** Where references to a repository begin, up to the `:` or `@` after its name. */
function namesIt(reference: string, { publicUrl: { host } }: OwnHost): RawBuilder<boolean> {
  const name = sql`${`${host}/`} || repository.name`;
  return sql<boolean>`(
    starts_with(${sql.ref(reference)}, ${name} || ':') or starts_with(${sql.ref(reference)}, ${name} || '@')
  )`;
}

/**
 * What projects need of their owner's repositories, as `(repository_id, digest, tag, project, why)`: what releases that
 * run or are kept were made from, and what a project is deployed from, whose tag is needed then as well. Strangers who
 * deploy somebody's public image keep nothing of it.
 */
function neededBy(repositoryIds: readonly string[], settings: OwnHost): RawBuilder<unknown> {
  const isAsked = sql`repository.id = any(${repositoryIds}::uuid[])`;
  return sql`
    select repository.id as repository_id, release.image_digest as digest, null as tag, project.name as project,
      case when release.status = 'running' then 'running' else 'release' end as why
    from container_repositories repository
    join workspaces owner on owner.id = repository.owner_id
    join deployments release on release.owner_id = repository.owner_id and release.image_digest is not null
      and (release.release_kept or release.status in ('queued', 'building', 'deploying', 'running'))
    join projects project on project.id = release.project_id
    where ${isAsked} and case when release.image = ''
      then repository.name = ${BUILD_REPOSITORY}
      else ${namesIt('release.image', settings)} end
    union all
    select repository.id, coalesce(nullif(split_part(project.image, '@', 2), ''), image.digest), image.tag,
      project.name, 'source'
    from container_repositories repository
    join projects project on project.owner_id = repository.owner_id and project.image <> ''
    left join container_images image on image.repository_id = repository.id
      and project.image = ${`${settings.publicUrl.host}/`} || repository.name || ':' || image.tag
    where ${isAsked} and ${namesIt('project.image', settings)}`;
}

/** Those of them that are manifests, as `(repository_id, digest)`. */
export function neededDigests(repositoryIds: readonly string[], settings: OwnHost): RawBuilder<unknown> {
  return sql`
    select distinct needed.repository_id, needed.digest from (${neededBy(repositoryIds, settings)}) needed
    where needed.digest is not null`;
}

/** Why something of a repository stays: sentences, by tag, and by digest with what is below it. */
export interface Needed {
  tags: ReadonlyMap<string, string>;
  digests: ReadonlyMap<string, string>;
}

type Why = 'source' | 'running' | 'release';

/** Under the account's lock, so that no project begins to need any of it. */
export async function readNeeded(
  db: Kysely<Database>,
  settings: OwnHost,
  repositoryId: string,
): Promise<Needed> {
  const { rows } = await sql<{ digest: string | null; tag: string | null; project: string; why: Why }>`
    with recursive needed (digest, tag, project, why) as (
      select digest, tag, project, why from (${neededBy([repositoryId], settings)}) roots
      union
      select child.digest, null, needed.project, needed.why from needed
      join container_references child on child.repository_id = ${repositoryId}
        and child.manifest = needed.digest and child.kind = 'manifest'
    )
    select digest, tag, project, why from needed
    order by why = 'source' desc, why = 'running' desc, project`.execute(db);
  const tags = new Map<string, string>();
  const digests = new Map<string, string>();
  for (const { digest, tag, project, why } of rows) {
    const sentence = keptBecause(project, why);
    if (tag !== null && !tags.has(tag)) tags.set(tag, sentence);
    if (digest !== null && !digests.has(digest)) digests.set(digest, sentence);
  }
  return { tags, digests };
}

function keptBecause(project: string, why: Why): string {
  switch (why) {
    case 'source':
      return `Kept because the project ${project} is deployed from this image.`;
    case 'running':
      return `Kept because the project ${project} is running this image.`;
    case 'release':
      return `Kept because the project ${project} can roll back to this image.`;
  }
}

/** The sentence of the first of these digests that is needed. */
export function whyKept({ digests }: Needed, going: readonly string[]): string | undefined {
  return going.map((digest) => digests.get(digest)).find((sentence) => sentence !== undefined);
}

/** The sentence of a tag, or of the image that it names; '' where no project needs either. */
export function whyTagKept(
  { tags, digests }: Needed,
  { tag, digest }: { tag: string; digest: string | null },
): string {
  return tags.get(tag) ?? digests.get(digest ?? '') ?? '';
}

/** What is told to whoever wants to delete it nevertheless. */
export function remedyOf(kept: string): string {
  return `${kept} Change its image or delete the project first.`;
}

/** 409 IN_USE. */
export function inUse(kept: string): Refusal {
  return conflict('IN_USE', remedyOf(kept));
}
