import type { DeployKey } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import { fingerprintOf } from './openssh-key.ts';
import { addKey } from './project-key.ts';

/** Never with the private half. */
export async function getKey({ db, ownerId }: UserContext, projectId: string): Promise<DeployKey> {
  await assertProject(db, ownerId, projectId);
  const key = await db
    .selectFrom('deployKeys')
    .select(['publicKey', 'createdAt', 'host', 'hostKeys'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  if (!key) return { publicKey: null, createdAt: null, host: '', hostKeys: [] };
  const hostKeys = key.hostKeys.map((line) => {
    const [type = '', bytes = ''] = line.split(' ');
    return { type, fingerprint: fingerprintOf(bytes) };
  });
  return { ...key, hostKeys };
}

/** The host has to be given the new one before the next deployment; what is known of the host stays. */
export async function renewKey(ctx: UserContext, secrets: SecretsBox, projectId: string): Promise<DeployKey> {
  return atomically(ctx.db, async (trx) => {
    const project = await lockProject(trx, ctx.ownerId, projectId);
    if (!project) throw notFound();
    await addKey(trx, secrets, project, { renew: true });
    return getKey({ ...ctx, db: trx }, projectId);
  });
}

/** Throws 404 where there is no key. */
export async function forgetHost(
  { db, ownerId }: UserContext,
  projectId: string,
): Promise<{ success: true }> {
  const { numUpdatedRows } = await db
    .updateTable('deployKeys')
    .set({ host: '', hostKeys: sql<string[]>`'{}'` })
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
  return { success: true };
}
