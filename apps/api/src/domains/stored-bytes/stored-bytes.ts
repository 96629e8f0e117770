import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { backedUpObjects } from '../../backup/backed-up-objects.ts';
import { byteSize } from '../../platform/byte-size.ts';
import { type EngineCheck, type Finding, healthy, unhealthy } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Part } from '../domain.ts';
import { IS_MOVING, scrub } from './rounds.ts';
import { SOURCES } from './sources.ts';

const EVERY_TEN_MINUTES = '*/10 * * * *';
/** Damaged items that are listed. */
const LISTED = 100;

/** Reads again what the object store has, all of it within a month, and names what is not as it was stored. */
export function createStoredBytes(
  platform: Pick<Platform, 'settings' | 'db' | 'objects' | 'secrets' | 'log' | 'jobs'>,
): Part {
  const { db, objects, log, jobs } = platform;
  const stopping = new AbortController();
  const parts = { db, objects, log, backups: () => backedUpObjects(platform) };
  jobs.schedule('stored-bytes', EVERY_TEN_MINUTES, () => scrub(parts, stopping.signal));
  return {
    stop: () => stopping.abort(),
    engines: (): EngineCheck[] => [
      {
        id: 'stored-bytes',
        name: 'Stored bytes',
        running: 'Read again within 30 days, and compared with their digests',
        settings: ['DATA_DIR', 'S3_BUCKET'],
        look: () => lookAtRounds(db),
      },
    ],
  };
}

async function lookAtRounds(db: Kysely<Database>): Promise<Finding> {
  const round = await db
    .selectFrom('storedBytesRounds')
    .selectAll()
    .select(IS_MOVING)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('damagedObjects')
    .leftJoin('workspaces', 'workspaces.id', 'ownerId')
    .leftJoin('users', 'users.id', 'ownerId')
    .select(['source', 'damagedObjects.name', 'problem', 'foundAt'])
    // A personal workspace has its person's id, and no name.
    .select(sql<string>`coalesce(nullif(workspaces.name, ''), users.email, '')`.as('owner'))
    .select(sql<number>`count(*) over ()`.as('count'))
    .orderBy('foundAt', 'desc')
    .limit(LISTED)
    .execute();
  const last =
    round.endedAt === null
      ? 'No full round yet.'
      : `Last full round: ${round.endedAt.slice(0, 10)}, ${objectsOf(round.endedObjects, round.endedBytes)}.`;
  const waits = round.isMoving ? ' It waits for objects to be moved into the bucket.' : '';
  const now =
    round.source === null ? waits : ` This round: ${objectsOf(round.objects, round.bytes)} so far.${waits}`;
  const count = rows[0]?.count ?? 0;
  if (count === 0) return healthy(`${last}${now}`);
  return {
    ...unhealthy(`${count} damaged or missing. ${last}${now}`),
    damaged: rows.map(({ source, name, owner, problem, foundAt }) => ({
      ...{ what: SOURCES[source]?.what ?? source, name, owner, problem, foundAt },
    })),
  };
}

function objectsOf(count: number, bytes: number): string {
  return `${count} ${count === 1 ? 'object' : 'objects'} (${byteSize(bytes)})`;
}
