import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { SecretsBox } from '../platform/secrets-box.ts';
import type { RepositoryKey } from './repository/repository-key.ts';

const contextOf = (id: string) => `backup-repositories:${id}`;

/** Keeps the key of a repository for the nights, when nobody is there to say the passphrase. */
export async function keepKey(
  db: Kysely<Database>,
  secrets: SecretsBox,
  { id, key }: RepositoryKey,
): Promise<void> {
  const sealedKey = secrets.seal(key.toString('hex'), contextOf(id));
  await db
    .insertInto('backupRepositories')
    .values({ id, sealedKey })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealedKey }))
    .execute();
}

/** Whether the installation ever had backups. */
export async function hasKeptKey(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('backupRepositories').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The key that was kept for a repository of the first of these ids that has one; undefined where none was. */
export async function keptKey(
  db: Kysely<Database>,
  secrets: SecretsBox,
  ids: readonly string[],
): Promise<Buffer | undefined> {
  const rows = await db
    .selectFrom('backupRepositories')
    .select(['id', 'sealedKey'])
    .where('id', 'in', ids)
    .execute();
  const row = ids.map((id) => rows.find((one) => one.id === id)).find(Boolean);
  return row && Buffer.from(secrets.open(row.sealedKey, contextOf(row.id)), 'hex');
}
