import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { copyKey } from '../deploy-keys/project-key.ts';
import { countLimited, readSetLimits } from '../plans/limits.ts';
import { copyRepositoryCredentials } from '../projects/repository-credentials.ts';
import { assertPlanHasRoom, insertUnderFreeSlug } from '../projects/service.ts';
import { previewSlugsFor } from '../projects/slug.ts';
import type { PreviewsParts } from './previews.ts';

/** Characters of a project's name. */
const MAX_NAME = 100;

interface NewPreview {
  project: Selectable<Database['projects']>;
  branch: string;
  groupId: string | null;
}

/**
 * Makes a project for a branch, which is built and run as the other one. Of variables it gets those of the group that was
 * set for previews and no others: the project's own may be secrets of production, which no branch is to have. Throws 403
 * where the plan has no room for it, before anything is made.
 */
export async function makePreview(
  trx: Kysely<Database>,
  { settings }: Pick<PreviewsParts, 'settings'>,
  { project, branch, groupId }: NewPreview,
): Promise<string> {
  const { id: parentId, ownerId, slug, name, repositoryUrl, framework, healthPath, runSettings } = project;
  await assertPlanHasRoom({ db: trx, ownerId }, settings);
  await assertPreviewsHaveRoom(trx, ownerId);
  const { id } = await insertUnderFreeSlug(trx, previewSlugsFor(slug, branch), {
    ...{ ownerId, repositoryUrl, branch, framework, healthPath },
    name: `${name} (${branch})`.slice(0, MAX_NAME),
    description: '',
    runSettings: JSON.stringify(runSettings),
  });
  await trx.insertInto('previews').values({ projectId: id, ownerId, parentId, branch }).execute();
  if (groupId) await linkGroup(trx, { ownerId, projectId: id, groupId });
  return id;
}

/** Throws 403 PLAN_LIMIT_REACHED where an administrator allows no more, in a transaction that holds the account. */
async function assertPreviewsHaveRoom(trx: Kysely<Database>, ownerId: string): Promise<void> {
  const { previews: most } = await readSetLimits(trx, ownerId);
  if (most === null || (await countLimited(trx, 'previews', ownerId)) < most) return;
  const message = `An admin limits you to ${most} previews. Delete one or ask an admin for more.`;
  throw forbidden('PLAN_LIMIT_REACHED', message);
}

/** Does nothing where the group was deleted by now. */
async function linkGroup(
  trx: Kysely<Database>,
  { ownerId, projectId, groupId }: { ownerId: string; projectId: string; groupId: string },
): Promise<void> {
  const group = await trx
    .selectFrom('variableGroups')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', groupId)
    .forKeyShare()
    .executeTakeFirst();
  if (group) await trx.insertInto('projectVariableGroups').values({ projectId, groupId }).execute();
}

/**
 * Gives a preview the repository that its project has now and what that is read with, and makes its branch its source
 * again, whatever was set since.
 */
export async function followSource(
  ctx: Pick<UserContext, 'db' | 'ownerId'>,
  secrets: SecretsBox,
  {
    project: { id: from, repositoryUrl },
    branch,
    to,
  }: Pick<NewPreview, 'project' | 'branch'> & { to: string },
): Promise<void> {
  await ctx.db
    .updateTable('projects')
    .set({ repositoryUrl, branch, image: '' })
    .where('ownerId', '=', ctx.ownerId)
    .where('id', '=', to)
    .execute();
  await copyRepositoryCredentials(ctx, secrets, { from, to });
  await copyKey(ctx, secrets, { from, to });
}
