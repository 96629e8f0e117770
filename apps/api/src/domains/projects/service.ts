import type {
  Framework,
  NewProject,
  Project,
  ProjectChange,
  ProjectPage,
  ProjectTemplate,
} from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Insertable, type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import type { Settings } from '../../core/env.ts';
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts';
import { countOwned, lockAccount } from '../../platform/account-lock.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import { planOf } from '../plans/plan.ts';
import { assertOneDatabase, linkDatabase } from './linked-database.ts';
import type { Deployer, ProjectsParts } from './projects.ts';
import { projectOf, projectsOf } from './read.ts';
import { assertMayRunCode, assertRepositoryAdmitted, assertRuntime } from './runnable.ts';
import { slugsFor } from './slug.ts';
import { setVariables } from './variables.ts';

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

type ProjectListInput = NonNullable<z.output<typeof ProjectPage>>;

const LIST: ListShape<NonNullable<ProjectListInput['sort']>> = {
  id: 'projects.id',
  texts: [
    sql`projects.name`,
    sql`projects.description`,
    sql`projects.repository_url`,
    sql`projects.branch`,
    sql`projects.slug`,
  ],
  orders: {
    name: { key: sql`lower(projects.name)`, direction: 'asc' },
    updated: { key: sql`coalesce(latest.created_at, projects.created_at)`, direction: 'desc' },
  },
};

/** The signed-in person's projects, newest first unless sorted otherwise. */
export async function listProjects(
  { db, ownerId }: UserContext,
  settings: Settings,
  input: ProjectListInput = {},
): Promise<Project[]> {
  const { limit = MAX_PAGE, ...narrowed } = input;
  const first = Object.values(narrowed).every((value) => value === undefined);
  const rows = await (first
    ? newestProjects(db, { ownerId, limit })
    : readPage(projectsOf(db, ownerId), LIST, input));
  return rows.map((row) => projectOf(row, settings));
}

export async function getProject(
  { db, ownerId }: UserContext,
  settings: Settings,
  id: string,
): Promise<Project> {
  const row = await projectsOf(db, ownerId).where('projects.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return projectOf(row, settings);
}

/**
 * Makes a project with its variables and its database and, where it has a repository or a template, queues its first
 * deployment, which has both: all of it or nothing.
 */
export async function createProject(
  ctx: UserContext,
  parts: ProjectsParts,
  input: z.output<typeof NewProject>,
): Promise<Project> {
  const { settings: runSettings = {}, variables = [], databaseId, newDatabase, ...details } = input;
  const { template, repositoryUrl } = details;
  if (template && repositoryUrl !== '') {
    const message = 'Choose either a repository or a template.';
    throw invalid(message, [{ path: 'template', message }]);
  }
  const framework = template ? TEMPLATE_FRAMEWORKS[template] : input.framework;
  const { settings, secrets, deployer } = parts;
  assertOneDatabase(input);
  assertMayRunCode(settings, ctx.user, deployer.isolation());
  assertRepositoryAdmitted(parts, repositoryUrl);
  assertRuntime(deployer.runtimes(), framework);
  return atomically(ctx.db, async (trx) => {
    const inside = { ...ctx, db: trx };
    await assertPlanHasRoom(inside, settings);
    const project = await insertUnderFreeSlug(trx, {
      ...details,
      runSettings: JSON.stringify(runSettings),
      framework,
      ownerId: ctx.ownerId,
    });
    const linked = await linkDatabase(inside, parts.databases, { databaseId, newDatabase });
    await setVariables(inside, secrets, { id: project.id, variables: [...variables, ...linked] });
    if (repositoryUrl !== '' || template) await deployer.deploy(trx, project);
    return getProject(inside, settings, project.id);
  });
}

/** Changes what the next deployment will use; the running version stays as it is. */
export async function updateProject(
  ctx: UserContext,
  parts: ProjectsParts,
  { id, settings, ...change }: z.output<typeof ProjectChange>,
): Promise<Project> {
  if (change.repositoryUrl !== undefined) assertRepositoryAdmitted(parts, change.repositoryUrl);
  if (change.framework !== undefined) assertRuntime(parts.deployer.runtimes(), change.framework);
  if (settings || Object.values(change).some((value) => value !== undefined)) {
    await ctx.db
      .updateTable('projects')
      .set(change)
      .$if(settings !== undefined, (update) =>
        update.set('runSettings', sql`run_settings || ${JSON.stringify(settings)}::jsonb`),
      )
      .where('ownerId', '=', ctx.ownerId)
      .where('id', '=', id)
      .execute();
  }
  return getProject(ctx, parts.settings, id);
}

/** Deletes a project with everything it has; its app, builds and folders end right after. */
export async function removeProject(
  { db, ownerId }: UserContext,
  deployer: Pick<Deployer, 'removeProject'>,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const deleted = await trx
      .deleteFrom('projects')
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw notFound();
    await deployer.removeProject(trx, id);
  });
  return { success: true };
}

/** Under the account's lock, so that calls at the same time are counted one after the other. */
async function assertPlanHasRoom({ db, ownerId }: UserContext, settings: Settings): Promise<void> {
  await lockAccount(db, ownerId);
  const count = await countOwned(db, 'projects', ownerId);
  const { deployments: limit } = await planOf({ db, settings }, ownerId);
  if (limit === null || count < limit) return;
  throw forbidden(
    'PLAN_LIMIT_REACHED',
    `Your plan includes ${limit} projects. Delete one or upgrade your plan.`,
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
  throw conflict('CONFLICT', 'No free URL was found for this name. Try another name.');
}
