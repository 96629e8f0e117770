import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { byteSize } from './byte-size.ts';
import { type EngineCheck, type Finding, healthy, unhealthy } from './engine-check.ts';
import type { ObjectMove } from './object-store/object-move.ts';
import type { ObjectStore } from './object-store/object-store.ts';
import type { Platform } from './platform.ts';

/** What all domains stand on. */
export function systemChecks({ settings, db, objects, objectMove }: Platform): EngineCheck[] {
  return [
    {
      id: 'own-database',
      name: 'Nephos database',
      running: settings.databaseUrl ? 'External PostgreSQL' : 'Embedded PostgreSQL',
      settings: ['DATABASE_URL'],
      look: () => askOwnDatabase(db),
    },
    {
      id: 'job-queue',
      name: 'Background jobs',
      running: 'Queue in the Nephos database',
      settings: ['DATABASE_URL'],
      look: () => askJobQueue(db),
    },
    {
      id: 'object-store',
      name: 'Object storage',
      ...placeOfObjects(settings),
      look: () => tryObjectStore(objects, objectMove),
    },
  ];
}

function placeOfObjects({ s3 }: Settings): Pick<EngineCheck, 'running' | 'settings'> {
  if (!s3) return { running: 'Local disk', settings: ['DATA_DIR'] };
  const server = s3.endpoint?.host ?? `Amazon S3 in ${s3.region}`;
  return { running: `S3 bucket ${s3.bucket} at ${server}`, settings: ['S3_ENDPOINT', 'S3_BUCKET'] };
}

async function askOwnDatabase(db: Kysely<Database>): Promise<Finding> {
  const { rows } = await sql<{ version: string; size: string }>`
    select current_setting('server_version') as version,
      pg_size_pretty(pg_database_size(current_database())) as size`.execute(db);
  return healthy(`PostgreSQL ${rows[0]?.version}, ${rows[0]?.size} in use.`);
}

/** The queue looks after itself every few seconds, and writes down when it did. */
async function askJobQueue(db: Kysely<Database>): Promise<Finding> {
  const { rows } = await sql<{ alive: boolean; waiting: number }>`
    select coalesce(greatest(max(monitor_on), max(created_on)) > now() - interval '1 minute', false) as alive,
      coalesce(sum(queued_count), 0) as waiting from pgboss.queue`.execute(db);
  const { alive = false, waiting = 0 } = rows[0] ?? {};
  if (!alive) return unhealthy('No job activity for a minute: no server is processing jobs.');
  return healthy(waiting === 1 ? '1 job waiting.' : `${waiting} jobs waiting.`);
}

/** What is wrong where nothing can be stored. */
const REFUSED: Readonly<Record<string, string>> = {
  UNAVAILABLE: "The S3 server doesn't respond, or refuses the access key. See the Nephos log for details.",
  STORAGE_FULL: 'Storage is full.',
};

/** Stores something, and reads it again. */
async function tryObjectStore(objects: ObjectStore, move: ObjectMove | undefined): Promise<Finding> {
  const key = `checks/${randomUUID()}`;
  const written = Buffer.from(key);
  try {
    await objects.put(key, bytesOf(written));
    const stored = await objects.get(key);
    const read = stored ? Buffer.concat(await stored.toArray()) : Buffer.alloc(0);
    return read.equals(written)
      ? healthy(`Test object written and read back.${stillMoving(move)}`)
      : unhealthy("A test object couldn't be read back.");
  } catch (error) {
    if (error instanceof Refusal) return unhealthy(REFUSED[error.reason] ?? error.message);
    throw error;
  } finally {
    await objects.delete(key).catch(() => {});
  }
}

function stillMoving(move: ObjectMove | undefined): string {
  const { objects = 0, bytes = 0 } = move?.left() ?? {};
  return objects === 0 ? '' : ` Still to be moved from DATA_DIR: ${objects} objects (${byteSize(bytes)}).`;
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
