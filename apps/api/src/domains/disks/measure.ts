import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { DisksParts } from './disks.ts';

/** Writes down what the disks on this machine hold. Never rejects. */
export async function measureDisks({
  db,
  engine,
  log,
}: Pick<DisksParts, 'engine'> & { db: Kysely<Database>; log: Logger }): Promise<void> {
  try {
    const disks = await db.selectFrom('projectDisks').select(['id', 'projectId']).orderBy('id').execute();
    for (const { id, projectId } of disks) {
      const use = await engine.diskUse(projectId, id);
      if (!use) continue;
      await db
        .updateTable('projectDisks')
        .set({ ...use, measuredAt: sql`now()` })
        .where('id', '=', id)
        .execute();
    }
  } catch (error) {
    log.warn({ err: error }, 'disks are measured later');
  }
}
