import { type PushDelivery, type PushHook, type PushHookChange, pushHookPath } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { randomToken } from '../auth/secret-token.ts';
import { assertProject, lockProject } from '../projects/read.ts';

/** A project's hook, which has no secret and watches no path unless something was set. */
export async function getHook(
  { db, ownerId }: UserContext,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  projectId: string,
): Promise<PushHook> {
  await assertProject(db, ownerId, projectId);
  const hook = await db
    .selectFrom('pushHooks')
    .select(['enabledAt', 'paths'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  const address = new URL(pushHookPath(projectId), publicUrl).href;
  return { address, enabledAt: null, paths: [], ...hook };
}

/** Sets which paths a push has to change. */
export async function updateHook(
  ctx: UserContext,
  settings: Pick<Settings, 'publicUrl'>,
  { id, paths }: z.output<typeof PushHookChange>,
): Promise<PushHook> {
  await writeHook(ctx, id, { paths: [...new Set(paths)] });
  return getHook(ctx, settings, id);
}

/** Has nothing accepted any more; what is watched stays. */
export async function removeHook(ctx: UserContext, id: string): Promise<{ success: true }> {
  await writeHook(ctx, id, { secret: null, enabledAt: null });
  return { success: true };
}

/** Makes a secret of 256 random bits, with which alone pushes are accepted from now on. */
export async function renewSecret(
  ctx: UserContext,
  secrets: SecretsBox,
  id: string,
): Promise<{ secret: string }> {
  const secret = randomToken();
  await writeHook(ctx, id, {
    secret: secrets.seal(secret, contextOf(id)),
    enabledAt: sql<string>`now()`,
  });
  return { secret };
}

/** Throws 404 where there is none. */
export async function readSecret(
  { db, ownerId }: UserContext,
  secrets: SecretsBox,
  projectId: string,
): Promise<{ secret: string }> {
  const hook = await db
    .selectFrom('pushHooks')
    .select('secret')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  if (!hook?.secret) throw notFound();
  return { secret: openSecret(secrets, projectId, hook.secret) };
}

/** What the hook was told of, newest first. */
export async function listDeliveries(
  { db, ownerId }: UserContext,
  projectId: string,
): Promise<PushDelivery[]> {
  await assertProject(db, ownerId, projectId);
  return db
    .selectFrom('pushDeliveries')
    .leftJoin('deployments', 'deployments.id', 'deploymentId')
    .select(['pushDeliveries.id', 'pushDeliveries.createdAt', 'sender', 'event', 'result', 'reason'])
    .select(['pushDeliveries.branch', 'pushDeliveries.commit', 'deploymentId', 'deployments.projectId'])
    .where('pushDeliveries.ownerId', '=', ownerId)
    .where('pushDeliveries.projectId', '=', projectId)
    .orderBy('pushDeliveries.id', 'desc')
    .execute();
}

/** Whose hook it is and what signs for it; undefined where nothing is accepted. Nobody is signed in: never for an answer. */
export async function findSecret(
  db: Kysely<Database>,
  secrets: SecretsBox,
  projectId: string,
): Promise<{ ownerId: string; secret: string } | undefined> {
  const hook = await db
    .selectFrom('pushHooks')
    .select(['ownerId', 'secret'])
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  return hook?.secret
    ? { ownerId: hook.ownerId, secret: openSecret(secrets, projectId, hook.secret) }
    : undefined;
}

interface HookColumns {
  secret?: Buffer | null;
  enabledAt?: ReturnType<typeof sql<string>> | null;
  paths?: string[];
}

async function writeHook({ db, ownerId }: UserContext, projectId: string, hook: HookColumns): Promise<void> {
  await atomically(db, async (trx) => {
    if (!(await lockProject(trx, ownerId, projectId))) throw notFound();
    await trx
      .insertInto('pushHooks')
      .values({ projectId, ownerId, ...hook })
      .onConflict((existing) => existing.column('projectId').doUpdateSet(hook))
      .execute();
  });
}

function openSecret(secrets: SecretsBox, projectId: string, sealed: Buffer): string {
  return secrets.open(sealed, contextOf(projectId));
}

function contextOf(projectId: string): string {
  return `${projectId}:push hook`;
}
