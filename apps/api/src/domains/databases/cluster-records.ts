import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ClusterRecords } from './engines/postgres/clusters/clusters.ts';

type Told = Parameters<ClusterRecords['told']>[1];

/** Keeps in the rows of databases what becomes of their servers: of several changes, the last. */
export function createClusterRecords(db: Kysely<Database>, log: Logger): ClusterRecords {
  const waiting = new Map<string, Told>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    for (const [name, { activity, version, home }] of waiting) {
      waiting.delete(name);
      try {
        await db
          .updateTable('managedDatabases')
          .set({ activity, serverVersion: version, home })
          .where('engineName', '=', name)
          .execute();
      } catch (error) {
        // The next change of this one is written; until then its page is behind.
        log.warn({ err: error, database: name }, 'the state of a database could not be written down');
      }
    }
    // Right after the last look at what waits: what is told later has to begin anew.
    writing = undefined;
  }

  return {
    told(name, now) {
      waiting.set(name, now);
      writing ??= writeAll();
    },
    async sleepAfter(names) {
      const rows = await db
        .selectFrom('managedDatabases')
        .select(['engineName', 'sleepAfter'])
        .where('engineName', 'in', [...names, ''])
        .execute();
      return new Map(rows.map(({ engineName, sleepAfter }) => [engineName, sleepAfter]));
    },
    settled: async () => writing,
  };
}
