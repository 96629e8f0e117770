import { randomUUID } from 'node:crypto';
import { RATE_CARD, type UsageType } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

export const START = '2026-03-01T00:00:00.000Z';
export const HOUR = 3600;
/** Seconds after its end that an hour is complete. */
export const SETTLED = 120;

/** Makes metering read the time from a table, in seconds after `start`, which is at a full hour. */
export async function tellTime(
  db: Kysely<Database>,
  start: string,
): Promise<(seconds: number) => Promise<void>> {
  await sql`create table told_time (instant timestamptz)`.execute(db);
  await sql`insert into told_time values (${start})`.execute(db);
  await sql`
    create or replace function usage_clock() returns timestamptz language sql volatile
    as 'select instant from told_time'`.execute(db);
  await db.updateTable('usageMetering').set({ meteredUntil: start }).execute();
  return async (seconds) => {
    await sql`update told_time set instant = ${start}::timestamptz + make_interval(secs => ${seconds})`.execute(
      db,
    );
  };
}

/** What all records of one resource and hour say; the hour counts from `start`. */
export interface Line {
  type: UsageType;
  resource: string | null;
  hour: number;
  amount: number;
}

export async function linesOf(db: Kysely<Database>, start: string): Promise<Line[]> {
  const rows = await db.selectFrom('usageRecords').selectAll().execute();
  return rows.map(({ resourceType, resourceId, hour, amount, cost }) => {
    if (Math.abs(cost - amount * RATE_CARD[resourceType].cents) > 1e-9) {
      throw new Error(`${amount} of ${resourceType} does not cost ${cost} cents`);
    }
    const after = Date.parse(hour) - Date.parse(start);
    return { type: resourceType, resource: resourceId, hour: after / 3_600_000, amount };
  });
}

/** Takes away every resource and whatever was metered, and goes back to `start`. */
export async function forgetUsage(db: Kysely<Database>, start: string): Promise<void> {
  for (const table of ['projects', 'managedDatabases', 'storedFiles', 'containerRepositories'] as const) {
    await db.deleteFrom(table).execute();
  }
  for (const table of [
    'usageRecords',
    'usageDays',
    'usageSpans',
    'usageMeters',
    'usageEgress',
    'serverUptimes',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  await sql`update told_time set instant = ${start}::timestamptz`.execute(db);
  await db.updateTable('usageMetering').set({ meteredUntil: start }).execute();
}

/** Gives the id. */
export async function addDatabase(
  db: Kysely<Database>,
  {
    status = 'available',
    ...owned
  }: { ownerId: string; storageSize: number; status?: 'creating' | 'available' },
): Promise<string> {
  const { id } = await db
    .insertInto('managedDatabases')
    .values({
      ...owned,
      name: randomUUID(),
      type: 'postgresql',
      region: 'us-east-1',
      status,
      engineName: randomUUID(),
      password: Buffer.alloc(1),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives the id. */
export async function addFile(
  db: Kysely<Database>,
  owned: { ownerId: string; fileSize: number },
): Promise<string> {
  const file = { fileName: 'a', filePath: '/', mimeType: 'text/plain', isPublic: false, sha256: '' };
  const { id } = await db
    .insertInto('storedFiles')
    .values({ ...file, ...owned, objectKey: randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives the id. */
export async function addProject(db: Kysely<Database>, ownerId: string): Promise<string> {
  const shown = {
    name: 'p',
    description: '',
    repositoryUrl: '',
    branch: 'main',
    framework: 'static' as const,
  };
  const { id } = await db
    .insertInto('projects')
    .values({ ...shown, ownerId, slug: randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
