import type { Framework, NewProject, Page, Project, ProjectChange, ProjectTemplate } from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import type { Insertable, Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { countOwned } from '../auth/count-owned.ts';
import { lockAccount } from '../auth/lock-account.ts';
import { planOf } from '../billing/plan.ts';
import { queueDeployment } from '../deployments/queue-deployment.ts';
import { projectOf, projectsOf } from './read.ts';
import { assertMayRunCode, assertRepositoryAdmitted, assertRuntime } from './runnable.ts';
import { slugsFor } from './slug.ts';
import { setVariable } from './variables.ts';

/** What each template is written in. */
export const TEMPLATE_FRAMEWORKS: Record<ProjectTemplate, Framework> = {
  'full-stack': 'nodejs',
  'node-api': 'nodejs',
  'python-api': 'python',
  'react-site': 'static',
  'static-site': 'static',
  'status-page': 'nodejs',
};

const newestProjects = prepare((db, parameter: Parameter<{ ownerId: string; limit: number }>) =>
  projectsOf(db, parameter('ownerId')).orderBy('projects.id', 'desc').limit(parameter('limit')).compile(),
);

const projectsAfter = prepare(
  (db, parameter: Parameter<{ ownerId: string; limit: number; cursor: string }>) =>
    projectsOf(db, parameter('ownerId'))
      .where('projects.id', '<', parameter('cursor'))
      .orderBy('projects.id', 'desc')
      .limit(parameter('limit'))
      .compile(),
);

/** The signed-in person's projects, newest first. */
export async function listProjects(
  { db, user, settings }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<Project[]> {
  const page = { ownerId: user.id, limit };
  const rows = await (cursor === undefined
    ? newestProjects(db, page)
    : projectsAfter(db, { ...page, cursor }));
  return rows.map((row) => projectOf(row, settings));
}

export async function getProject({ db, user, settings }: UserContext, id: string): Promise<Project> {
  const row = await projectsOf(db, user.id).where('projects.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return projectOf(row, settings);
}

/**
 * Makes a project and, where it has a repository or a template, queues its first deployment with it, which has
 * `variables` by name already.
 */
export async function createProject(
  ctx: UserContext,
  input: z.output<typeof NewProject>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const { template, repositoryUrl } = input;
  if (template && repositoryUrl !== '') {
    const message = 'Choose either a repository or a template.';
    throw invalid(message, [{ path: 'template', message }]);
  }
  const framework = template ? TEMPLATE_FRAMEWORKS[template] : input.framework;
  assertMayRunCode(ctx, ctx.user);
  assertRepositoryAdmitted(ctx, repositoryUrl);
  assertRuntime(ctx, framework);
  return atomically(ctx.db, async (trx) => {
    await assertPlanHasRoom({ ...ctx, db: trx });
    const project = await insertUnderFreeSlug(trx, { ...input, framework, ownerId: ctx.user.id });
    const inside = { ...ctx, db: trx };
    for (const [name, value] of Object.entries(variables)) {
      await setVariable(inside, { id: project.id, name, value });
    }
    if (repositoryUrl !== '' || template) await queueDeployment(ctx.deployments, trx, project);
    return getProject(inside, project.id);
  });
}

/** Changes what the next deployment will use; the running version stays as it is. */
export async function updateProject(
  ctx: UserContext,
  { id, ...change }: z.output<typeof ProjectChange>,
): Promise<Project> {
  if (change.repositoryUrl !== undefined) assertRepositoryAdmitted(ctx, change.repositoryUrl);
  if (change.framework !== undefined) assertRuntime(ctx, change.framework);
  if (Object.values(change).some((value) => value !== undefined)) {
    await ctx.db
      .updateTable('projects')
      .set(change)
      .where('ownerId', '=', ctx.user.id)
      .where('id', '=', id)
      .execute();
  }
  return getProject(ctx, id);
}

/** Deletes a project with everything it has; its app, builds and folders end right after. */
export async function removeProject(
  { db, user, deployments }: UserContext,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const deleted = await trx
      .deleteFrom('projects')
      .where('ownerId', '=', user.id)
      .where('id', '=', id)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw notFound();
    await deployments.removeProject(trx, id);
  });
  return { success: true };
}

/** Under the account's lock, so that calls at the same time are counted one after the other. */
async function assertPlanHasRoom(ctx: UserContext): Promise<void> {
  const { db, user } = ctx;
  await lockAccount(db, user.id);
  const count = await countOwned(db, 'projects', user.id);
  const { deployments: limit } = await planOf(ctx, user.id);
  if (limit === null || count < limit) return;
  throw forbidden(
    'PLAN_LIMIT_REACHED',
    `Your plan has room for ${limit} projects. Delete one or choose a larger plan.`,
  );
}

async function insertUnderFreeSlug(
  trx: Kysely<Database>,
  project: Omit<Insertable<Database['projects']>, 'slug'>,
) {
  for (const slug of slugsFor(project.name)) {
    const inserted = await trx
      .insertInto('projects')
      .values({ ...project, slug })
      .onConflict((conflicting) => conflicting.column('slug').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted) return inserted;
  }
  throw conflict('CONFLICT', 'No free address was found for this name. Try another name.');
}
