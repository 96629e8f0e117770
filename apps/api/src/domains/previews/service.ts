import {
  appStateOf,
  type Preview,
  type PreviewSettings,
  type PreviewSettingsChange,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound, unprocessable } from '../../core/errors.ts';
import type { AppAddress } from '../../platform/host-address.ts';
import { assertProject, lockProject, newestOutcome } from '../projects/read.ts';
import { assertGroup } from '../variable-groups/read.ts';
import { setSources } from './preview-copies.ts';

type OwnSettings = Omit<PreviewSettings, 'previewOf'>;

/** What holds until something is set; the columns' defaults are the same. */
const UNSET: OwnSettings = {
  enabled: false,
  branches: ['*'],
  limit: 5,
  days: 14,
  groupId: null,
  databaseIds: [],
};

/** Which branches of a project get previews. */
export async function getSettings(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  projectId: string,
): Promise<PreviewSettings> {
  await assertProject(db, ownerId, projectId);
  const project = { ownerId, id: projectId };
  const settings = (await readSettings(db, project)) ?? UNSET;
  return { ...settings, previewOf: await parentOf(db, project) };
}

/** The same, where something was set. */
export function readSettings(
  db: Kysely<Database>,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<OwnSettings | undefined> {
  return db
    .selectFrom('previewSettings')
    .select(['enabled', 'branches', 'most as limit', 'days', 'groupId'])
    .select(
      sql<string[]>`array(
        select database_id from preview_sources
        where preview_sources.project_id = preview_settings.project_id
        order by database_id
      )`.as('databaseIds'),
    )
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .executeTakeFirst();
}

/**
 * Throws 404 also for a group or database that is not theirs, and 422 for a project that can have no previews or a
 * database that cannot be copied.
 */
export async function updateSettings(
  ctx: UserContext,
  { id, limit, databaseIds, ...change }: z.output<typeof PreviewSettingsChange>,
): Promise<PreviewSettings> {
  const { ownerId } = ctx;
  return atomically(ctx.db, async (trx) => {
    const project = await lockProject(trx, ownerId, id);
    if (!project) throw notFound();
    if (change.groupId) await assertGroup(trx, ownerId, change.groupId);
    if (change.enabled && project.repositoryUrl === '') {
      throw unprocessable('NO_REPOSITORY', 'Only projects with a repository on a Git host have previews.');
    }
    if (change.enabled && (await parentOf(trx, { ownerId, id }))) {
      throw unprocessable(
        'IS_PREVIEW',
        'This project is a preview. Turn previews on in the project it is of.',
      );
    }
    const columns = {
      ...change,
      ...(limit !== undefined && { most: limit }),
      ...(change.branches && { branches: [...new Set(change.branches)] }),
    };
    await trx
      .insertInto('previewSettings')
      .values({ projectId: id, ownerId, ...columns })
      .onConflict((existing) => existing.column('projectId').doUpdateSet({ ownerId, ...columns }))
      .execute();
    if (databaseIds) await setSources(trx, { ownerId, projectId: id }, databaseIds);
    return getSettings({ ...ctx, db: trx }, id);
  });
}

async function parentOf(
  db: Kysely<Database>,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<string | null> {
  const preview = await db
    .selectFrom('previews')
    .select('parentId')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .executeTakeFirst();
  return preview?.parentId ?? null;
}

/** A project's previews, those with the newest push first. */
export async function listPreviews(
  { db, ownerId }: UserContext,
  { appAddress }: { appAddress: AppAddress },
  projectId: string,
): Promise<Preview[]> {
  const { days } = await getSettings({ db, ownerId }, projectId);
  const rows = await db
    .selectFrom('previews')
    .innerJoin('projects', 'projects.id', 'previews.projectId')
    .select(['projects.id', 'previews.branch', 'pullRequest', 'pushedAt', 'slug', 'liveDeploymentId'])
    .select([
      newestOutcome.as('outcome'),
      sql<string>`pushed_at + make_interval(days => ${days})`.as('endsAt'),
    ])
    .where('previews.ownerId', '=', ownerId)
    .where('parentId', '=', projectId)
    .orderBy('pushedAt', 'desc')
    .execute();
  return rows.map(({ slug, liveDeploymentId, outcome, ...preview }) => ({
    ...preview,
    state: appStateOf(liveDeploymentId !== null, outcome),
    url: appAddress(slug),
  }));
}
