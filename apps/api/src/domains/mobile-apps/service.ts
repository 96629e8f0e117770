import type { BuildFiles, MobileApp, NewMobileApp, Page } from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { assertRepositoryAdmitted } from '../projects/runnable.ts';
import { buildFiles, generateBuildConfig } from './generate/build-config.ts';
import { policyWarnings } from './policies.ts';

const COLUMNS = [
  'id',
  'name',
  'platform',
  'bundleId',
  'version',
  'buildNumber',
  'androidMinSdk',
  'androidTargetSdk',
  'iosTeamId',
  'deploymentMethod',
  'repositoryUrl',
  'branch',
  'buildStatus',
  'buildConfig',
  'createdAt',
] as const;

function appsOf(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom('mobileApps').where('ownerId', '=', ownerId).select(COLUMNS);
}

/** The signed-in person's mobile apps, newest first. */
export async function listMobileApps(
  { db, user }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<MobileApp[]> {
  const newest = appsOf(db, user.id).orderBy('id', 'desc').limit(limit);
  return (cursor === undefined ? newest : newest.where('id', '<', cursor)).execute();
}

async function getMobileApp({ db, user }: UserContext, id: string): Promise<MobileApp> {
  const app = await appsOf(db, user.id).where('id', '=', id).executeTakeFirst();
  if (!app) throw notFound();
  return app;
}

/**
 * Adds a draft. A repository is never fetched from here, only named in the instructions; the projects' rule holds for
 * it all the same, so that an address that is good in one place is good in the other.
 */
export async function createMobileApp(
  ctx: UserContext,
  input: z.output<typeof NewMobileApp>,
): Promise<MobileApp> {
  assertRepositoryAdmitted(ctx, input.repositoryUrl);
  return ctx.db
    .insertInto('mobileApps')
    .values({ ...input, ownerId: ctx.user.id })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Makes the app's files of its settings, under the row's lock; once more, it makes the same. Throws 404. */
export async function generateConfig({ db, user }: UserContext, id: string): Promise<MobileApp> {
  return atomically(db, async (trx) => {
    const app = await appsOf(trx, user.id).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!app) throw notFound();
    return trx
      .updateTable('mobileApps')
      .where('ownerId', '=', user.id)
      .where('id', '=', id)
      .set({ buildStatus: 'configured', buildConfig: JSON.stringify(generateBuildConfig(app)) })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
}

/** A configured app with all of its files. Throws 404, and 409 NOT_CONFIGURED while it is a draft. */
export async function configuredApp(
  ctx: UserContext,
  id: string,
): Promise<BuildFiles & Pick<MobileApp, 'name'>> {
  const app = await getMobileApp(ctx, id);
  if (app.buildConfig === null) {
    throw conflict('NOT_CONFIGURED', 'This app has no build configuration yet. Generate it first.');
  }
  return { name: app.name, files: buildFiles(app, app.buildConfig), warnings: policyWarnings(app) };
}

/** Deletes an app with its files; waits for a generation that is under way. Throws 404. */
export async function removeMobileApp({ db, user }: UserContext, id: string): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('mobileApps')
    .where('ownerId', '=', user.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}
