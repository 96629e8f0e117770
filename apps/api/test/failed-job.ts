import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** A job that failed for good; run again, it finds nothing to do. */
export async function addFailedJob(db: Kysely<Database>, message: string): Promise<void> {
  await sql`
    insert into pgboss.job (name, data, state, retry_limit, completed_on, output)
    values ('workspaces.close', ${JSON.stringify({ id: randomUUID() })}, 'failed', 0, now(),
      ${JSON.stringify({ message })})`.execute(db);
}
