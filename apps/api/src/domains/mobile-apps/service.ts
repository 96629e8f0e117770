import {
  type BuildFiles,
  type MobileApp,
  type MobileAppChange,
  type MobileAppPage,
  MobileAppSettings,
  type NewMobileApp,
} from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
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

type AppListInput = z.output<typeof MobileAppPage>;

const LIST: ListShape<NonNullable<NonNullable<AppListInput>['sort']>> = {
  id: 'id',
  texts: [sql`name`, sql`bundle_id`, sql`version`, sql`repository_url`],
  orders: { name: { key: sql`lower(name)`, direction: 'asc' } },
};

/** The signed-in person's mobile apps, newest first unless sorted otherwise. */
export async function listMobileApps(
  { db, ownerId }: UserContext,
  input: AppListInput,
): Promise<MobileApp[]> {
  return readPage(appsOf(db, ownerId), LIST, input);
}

async function getMobileApp({ db, ownerId }: UserContext, id: string): Promise<MobileApp> {
  const app = await appsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!app) throw notFound();
  return app;
}

/**
 * Adds a draft. A repository is never fetched from here, only named in the instructions; the projects' rule holds for
 * it all the same, so that an address that is good in one place is good in the other.
 */
export async function createMobileApp(
  { db, ownerId }: UserContext,
  settings: Settings,
  input: z.output<typeof NewMobileApp>,
): Promise<MobileApp> {
  assertRepositoryAdmitted({ settings }, input.repositoryUrl);
  return db
    .insertInto('mobileApps')
    .values({ ...input, ownerId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Changes settings, judged together with those that stay. The files of a configured app are made anew with it, so that
 * they are never those of earlier settings. Throws 400 and 404.
 */
export async function updateMobileApp(
  { db, ownerId }: UserContext,
  settings: Settings,
  { id, ...change }: z.output<typeof MobileAppChange>,
): Promise<MobileApp> {
  if (change.repositoryUrl !== undefined) assertRepositoryAdmitted({ settings }, change.repositoryUrl);
  return atomically(db, async (trx) => {
    const app = await lockMobileApp(trx, ownerId, id);
    const changed = MobileAppSettings.parse({ ...app, ...change });
    const files = app.buildConfig && JSON.stringify(generateBuildConfig(changed));
    return trx
      .updateTable('mobileApps')
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .set({ ...changed, buildConfig: files })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
}

async function lockMobileApp(trx: Kysely<Database>, ownerId: string, id: string): Promise<MobileApp> {
  const app = await appsOf(trx, ownerId).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!app) throw notFound();
  return app;
}

/** Makes the app's files of its settings, under the row's lock; once more, it makes the same. Throws 404. */
export async function generateConfig({ db, ownerId }: UserContext, id: string): Promise<MobileApp> {
  return atomically(db, async (trx) => {
    const app = await lockMobileApp(trx, ownerId, id);
    return trx
      .updateTable('mobileApps')
      .where('ownerId', '=', ownerId)
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
    throw conflict('NOT_CONFIGURED', 'This app has no build configuration yet. Generate one first.');
  }
  return { name: app.name, files: buildFiles(app, app.buildConfig), warnings: policyWarnings(app) };
}

/**
 * Every file of a configured app as a zip archive of some kilobytes, named after the app: the same files give the same
 * bytes at any time. Throws what `configuredApp` does.
 */
export async function zipFiles(ctx: UserContext, id: string): Promise<BytesAnswer> {
  const { name, files } = await configuredApp(ctx, id);
  const { strToU8, zipSync } = await import('fflate');
  const contents = Object.fromEntries(files.map((file) => [file.path, strToU8(file.contents)]));
  // The format stores local time, so that this is the same in any time zone.
  const archive = zipSync(contents, { mtime: new Date(1980, 0, 1, 12) });
  return {
    type: 'application/zip',
    length: archive.length,
    // A slash would be a folder to whoever saves the file.
    fileName: `${name.replaceAll(/[/\\]/g, '-')}.zip`,
    body: () => archive,
  };
}

/** Deletes an app with its files; waits for a generation that is under way. Throws 404. */
export async function removeMobileApp({ db, ownerId }: UserContext, id: string): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('mobileApps')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}
