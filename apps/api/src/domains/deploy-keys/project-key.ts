import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { DeployKeyUse } from '../deployments/engine/engine.ts';
import { makeOpensshKey } from './openssh-key.ts';

type Project = Pick<Selectable<Database['projects']>, 'id' | 'ownerId' | 'slug'>;

/** Makes a project's key where it has none, or another where it is to be renewed. */
export async function addKey(
  trx: Kysely<Database>,
  secrets: SecretsBox,
  { id: projectId, ownerId, slug }: Project,
  { renew = false } = {},
): Promise<void> {
  const { publicKey, privateKey: plain } = makeOpensshKey(`nephos-${slug}`);
  const privateKey = secrets.seal(plain, contextOf(projectId));
  await trx
    .insertInto('deployKeys')
    .values({ projectId, ownerId, publicKey, privateKey })
    .onConflict((existing) => {
      const same = existing.column('projectId');
      return renew
        ? same.doUpdateSet({ publicKey, privateKey, createdAt: sql<string>`clock_timestamp()` })
        : same.doNothing();
    })
    .execute();
}

/** A project's key for a deployment; null where it has none. Never for an answer. */
export async function openKey(
  db: Kysely<Database>,
  secrets: SecretsBox,
  projectId: string,
): Promise<DeployKeyUse | null> {
  const key = await db
    .selectFrom('deployKeys')
    .select(['privateKey', 'host', 'hostKeys'])
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  if (!key) return null;
  const { host, hostKeys } = key;
  return {
    privateKey: secrets.open(key.privateKey, contextOf(projectId)),
    ...{ host, hostKeys },
    async onHostKeys(known) {
      await db.updateTable('deployKeys').set(known).where('projectId', '=', projectId).execute();
    },
  };
}

/** Gives a project of the same owner's the key that another one has, and what that knows of the host. */
export async function copyKey(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  secrets: SecretsBox,
  { from, to: projectId }: { from: string; to: string },
): Promise<void> {
  const key = await db
    .selectFrom('deployKeys')
    .select(['publicKey', 'privateKey', 'host', 'hostKeys'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', from)
    .executeTakeFirst();
  if (!key) return;
  const plain = secrets.open(key.privateKey, contextOf(from));
  const copy = { ...key, privateKey: secrets.seal(plain, contextOf(projectId)) };
  await db
    .insertInto('deployKeys')
    .values({ ownerId, projectId, ...copy })
    .onConflict((existing) => existing.column('projectId').doUpdateSet(copy))
    .execute();
}

function contextOf(projectId: string): string {
  return `${projectId}:deploy key`;
}
