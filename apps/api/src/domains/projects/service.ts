import type { NewProject, Project, ProjectChange, ProjectPage } from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import { TEMPLATE_FRAMEWORKS } from '@nephos/contracts/constants';
import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Insertable, type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { countOwned, lockAccount } from '../../platform/account-lock.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import { planOf } from '../plans/plan.ts';
import { addressAs } from './address-variable.ts';
import { changeSource, imageAfter, NO_IMAGE, storeAccess } from './change-source.ts';
import { assertOneSource, storeCredentials } from './image-source.ts';
import { assertOneDatabase, linkDatabase } from './linked-database.ts';
import type { ProjectsParts } from './projects.ts';
import { projectOf, projectsOf, type ShowingParts } from './read.ts';
import { assertMayRunCode, assertRepositoryAdmitted, assertRuntime } from './runnable.ts';
import { slugsFor } from './slug.ts';
import { setVariables } from './variables.ts';

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
    sql`projects.image`,
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
  parts: ShowingParts,
  input: ProjectListInput = {},
): Promise<Project[]> {
  const { limit = MAX_PAGE, ...narrowed } = input;
  const first = Object.values(narrowed).every((value) => value === undefined);
  const rows = await (first
    ? newestProjects(db, { ownerId, limit })
    : readPage(projectsOf(db, ownerId), LIST, input));
  return rows.map((row) => projectOf(row, parts));
}

export async function getProject(
  { db, ownerId }: UserContext,
  parts: ShowingParts,
  id: string,
): Promise<Project> {
  const row = await projectsOf(db, ownerId).where('projects.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return projectOf(row, parts);
}

/** What a project of the marketplace's has that nobody types in. */
export interface RecipeOrigin {
  recipe: string;
  recipeVersion: string;
  healthPath: string;
  /** Name of the variable that gets the project's own address; undefined where the app needs none. */
  addressVariable?: string | undefined;
}

/**
 * Makes a project with its variables and its database and, where it has a source, queues its first deployment, which has
 * both: all of it or nothing.
 */
export async function createProject(
  ctx: UserContext,
  parts: ProjectsParts,
  input: z.output<typeof NewProject>,
  { addressVariable, ...origin }: Partial<RecipeOrigin> = {},
): Promise<Project> {
  const { settings: runSettings = {}, variables = [], databaseId, newDatabase, ...rest } = input;
  const { imageUsername: _, imagePassword: __, ...source } = rest;
  const { repositoryUsername: ___, repositoryToken: ____, ...details } = source;
  const { template, repositoryUrl } = details;
  assertOneSource(details, template);
  const framework = template ? TEMPLATE_FRAMEWORKS[template] : input.framework;
  const { settings, secrets, deployer } = parts;
  assertOneDatabase(input);
  assertMayRunCode(settings, ctx.workspace, deployer.isolation(), { builds: details.image === '' });
  assertRepositoryAdmitted(parts, repositoryUrl);
  if (details.image === '') assertRuntime(deployer.runtimes(), framework);
  return atomically(ctx.db, async (trx) => {
    const inside = { ...ctx, db: trx };
    await assertPlanHasRoom(inside, settings);
    const { image, credentials } = await imageAfter(inside, parts, NO_IMAGE, input);
    const project = await insertUnderFreeSlug(trx, slugsFor(details.name), {
      ...details,
      ...origin,
      image,
      runSettings: JSON.stringify(runSettings),
      framework,
      ownerId: ctx.ownerId,
    });
    if (credentials) await storeCredentials(inside, secrets, project.id, credentials);
    await storeAccess(inside, secrets, project, input);
    const address = addressAs(addressVariable, project);
    const linked = await linkDatabase(inside, parts.databases, { databaseId, newDatabase });
    await setVariables(inside, secrets, { id: project.id, variables: [...variables, ...linked, ...address] });
    if (repositoryUrl !== '' || template || image !== '' || origin.recipe)
      await deployer.deploy(trx, project);
    return getProject(inside, parts, project.id);
  });
}

/** Changes what the next deployment will use; the running version stays as it is. */
export async function updateProject(
  ctx: UserContext,
  parts: ProjectsParts,
  { id, settings, ...given }: z.output<typeof ProjectChange>,
): Promise<Project> {
  const { imageUsername, imagePassword, repositoryUsername, repositoryToken, ...change } = given;
  if (change.repositoryUrl !== undefined) assertRepositoryAdmitted(parts, change.repositoryUrl);
  return atomically(ctx.db, async (trx) => {
    const inside = { ...ctx, db: trx };
    await noteFormer(inside, { id, settings, ...change });
    await assertFramework(inside, parts.deployer, { id, ...change });
    const { repositoryUrl, image } = change;
    const asked = {
      ...{ image, imageUsername, imagePassword },
      ...{ repositoryUrl, repositoryUsername, repositoryToken },
    };
    const source = Object.values(asked).some((value) => value !== undefined)
      ? await changeSource(inside, parts, { id, ...asked })
      : {};
    if (settings || Object.values(change).some((value) => value !== undefined)) {
      await trx
        .updateTable('projects')
        .set({ ...change, ...source })
        .$if(settings !== undefined, (update) =>
          update.set('runSettings', sql`run_settings || ${JSON.stringify(settings)}::jsonb`),
        )
        .where('ownerId', '=', ctx.ownerId)
        .where('id', '=', id)
        .execute();
    }
    return getProject(inside, parts, id);
  });
}

/** Has the call's record tell what the fields that change were before. */
async function noteFormer(
  { db, ownerId, audit }: UserContext,
  { id, settings, ...change }: z.output<typeof ProjectChange>,
): Promise<void> {
  const former = await db
    .selectFrom('projects')
    .select(['name', 'description', 'framework', 'repositoryUrl', 'branch', 'image', 'runSettings'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!former) return;
  const { runSettings, ...columns } = former;
  const among = (given: object) => (pair: readonly [string, unknown]) => Object.hasOwn(given, pair[0]);
  audit.note({
    before: {
      ...Object.fromEntries(Object.entries(columns).filter(among(change))),
      ...(settings && {
        settings: Object.fromEntries(Object.entries(runSettings).filter(among(settings))),
      }),
    },
  });
}

/** Refuses another framework that this server cannot run, but for an image, of which it says nothing. */
async function assertFramework(
  { db, ownerId }: UserContext,
  { runtimes }: ProjectsParts['deployer'],
  { id, framework, image }: Pick<z.output<typeof ProjectChange>, 'id' | 'framework' | 'image'>,
): Promise<void> {
  if (framework === undefined) return;
  const former = await db
    .selectFrom('projects')
    .select(['framework', 'image'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (former?.framework === framework || (image ?? former?.image)) return;
  assertRuntime(runtimes(), framework);
}

/** Throws 403 PLAN_LIMIT_REACHED. Under the account's lock, so that calls at the same time are counted one after the other. */
export async function assertPlanHasRoom(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  settings: Settings,
): Promise<void> {
  await lockAccount(db, ownerId);
  const count = await countOwned(db, 'projects', ownerId);
  const { deployments: limit, set } = await planOf({ db, settings }, ownerId);
  if (limit === null || count < limit) return;
  throw forbidden(
    'PLAN_LIMIT_REACHED',
    set.projects === null
      ? `Your plan includes ${limit} projects. Delete one or upgrade your plan.`
      : `An admin limits you to ${limit} projects. Delete one or ask an admin for more.`,
  );
}

/** Inserts a project under the first host name that no other has. Throws 409 where all are taken. */
export async function insertUnderFreeSlug(
  trx: Kysely<Database>,
  slugs: Iterable<string>,
  project: Omit<Insertable<Database['projects']>, 'slug'>,
) {
  for (const slug of slugs) {
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
