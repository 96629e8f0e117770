import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { OwnHost } from './own-images.ts';

/**
 * Has stored references to images of our own registry name it by its present host: what they were stored with is another
 * one after PUBLIC_URL was changed, and would be taken for somebody else's registry.
 */
export async function adoptHost(db: Kysely<Database>, { publicUrl: { host } }: OwnHost): Promise<void> {
  await atomically(db, async (trx) => {
    await trx
      .insertInto('registryHost')
      .values({ host })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { host: former } = await trx
      .selectFrom('registryHost')
      .select('host')
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (former === host) return;
    for (const table of ['projects', 'deployments'] as const) {
      await trx
        .updateTable(table)
        .set({ image: sql<string>`${`${host}/`} || substr(image, ${former.length + 2}::int)` })
        .where(sql<boolean>`starts_with(image, ${`${former}/`})`)
        .execute();
    }
    await trx.updateTable('registryHost').set({ host }).execute();
  });
}
