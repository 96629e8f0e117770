import { isDeepStrictEqual } from 'node:util';
import { atomically, type Database, type LifecycleRule } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { lockAccount } from '../../../platform/account-lock.ts';
import { deleteFormer } from '../delete-file.ts';
import type { BytesDeletion } from '../file-bytes.ts';
import { abortUploads } from '../multipart.ts';
import { deleteObjects } from '../object-versions.ts';
import { successorOf } from './list-walk.ts';

interface Parts {
  deletion: BytesDeletion;
}

/** A rule, and the bucket that has it. */
interface Ruled {
  bucketId: string;
  ownerId: string;
  rule: LifecycleRule;
}

/** What one transaction deletes: others of the workspace wait for it to end. */
const AT_ONCE = 50;

/** Deletes what is as old as the rules of its bucket say. */
export async function sweepLifecycles(db: Kysely<Database>, parts: Parts): Promise<void> {
  const buckets = await db
    .selectFrom('buckets')
    .select(['id', 'ownerId', 'lifecycle'])
    .where('lifecycle', 'is not', null)
    .orderBy('id')
    .execute();
  for (const { id: bucketId, ownerId, lifecycle } of buckets) {
    for (const rule of lifecycle ?? []) {
      if (rule.isEnabled) await carryOut(db, parts, { bucketId, ownerId, rule });
    }
  }
}

async function carryOut(db: Kysely<Database>, parts: Parts, ruled: Ruled): Promise<void> {
  const { expiry, former, abortDays } = ruled.rule;
  if (expiry && !('markers' in expiry)) await expireObjects(db, parts, ruled);
  if (expiry && !('date' in expiry)) await expireMarkers(db, parts, ruled);
  if (former) await expireFormer(db, parts, ruled);
  if (abortDays !== undefined) await giveUpUploads(db, parts, ruled);
}

/** S3 counts days from the midnight, in GMT, that follows. */
function daysAgo(days: number): RawBuilder<string> {
  return sql`(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => ${days}))`;
}

/** Keys of a rule from `from` on. */
function keysOf(table: string, { rule: { prefix }, bucketId, ownerId }: Ruled, from = '') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const end = prefix === '' ? undefined : successorOf(prefix);
  return sql<boolean>`${column('owner_id')} = ${ownerId} and ${column('bucket_id')} = ${bucketId}
    and ${column('key')} >= ${prefix}::text collate "C" and ${column('key')} >= ${from}::text collate "C"
    ${end === undefined ? sql`` : sql`and ${column('key')} < ${end}::text collate "C"`}`;
}

/** What else an object of a rule has to be. */
function conditionsOf(table: string, { rule: { tags, above, below } }: Ruled) {
  const size = sql.ref(`${table}.file_size`);
  return sql<boolean>`${sql.ref(`${table}.tags`)} @> ${JSON.stringify(tags)}::jsonb
    and ${size} > ${above ?? -1} and ${below === undefined ? sql`true` : sql`${size} < ${below}`}`;
}

/**
 * Deletes one lot after the other, each in a transaction that holds the account, for as long as the bucket has the rule:
 * `work` tells the last key of a full lot, with which the next one begins.
 */
async function inLots(
  db: Kysely<Database>,
  { bucketId, ownerId, rule }: Ruled,
  work: (trx: Kysely<Database>, from: string) => Promise<string | undefined>,
): Promise<void> {
  for (let from: string | undefined = ''; from !== undefined; ) {
    const after: string = from;
    from = await atomically(db, async (trx) => {
      await lockAccount(trx, ownerId);
      const bucket = await trx
        .selectFrom('buckets')
        .select('lifecycle')
        .where('ownerId', '=', ownerId)
        .where('id', '=', bucketId)
        .forShare()
        .executeTakeFirst();
      const isThere = bucket?.lifecycle?.some((one) => isDeepStrictEqual(one, rule)) ?? false;
      return isThere ? work(trx, after) : undefined;
    });
  }
}

function lastOf(rows: readonly { key: string }[]): string | undefined {
  return rows.length < AT_ONCE ? undefined : rows.at(-1)?.key;
}

async function expireObjects(db: Kysely<Database>, { deletion }: Parts, ruled: Ruled): Promise<void> {
  const { rule, ownerId, bucketId } = ruled;
  const { expiry } = rule;
  const isDue =
    expiry && 'days' in expiry
      ? sql`f.uploaded_at < ${daysAgo(expiry.days)}`
      : sql`now() >= ${expiry && 'date' in expiry ? expiry.date : 'infinity'}::timestamptz`;
  await inLots(db, ruled, async (trx, from) => {
    const { rows } = await sql<{ key: string }>`
      select f.key from stored_files f where ${keysOf('f', ruled, from)} and ${conditionsOf('f', ruled)} and ${isDue}
      order by f.key limit ${AT_ONCE}`.execute(trx);
    const keys = rows.map(({ key }) => key);
    await deleteObjects(trx, deletion, { ownerId, bucketId }, keys);
    return lastOf(rows);
  });
}

/** Markers of keys that have nothing else, which keep no older version from anybody's eyes any more. */
async function expireMarkers(db: Kysely<Database>, { deletion }: Parts, ruled: Ruled): Promise<void> {
  const { expiry } = ruled.rule;
  if (!expiry || ('markers' in expiry && !expiry.markers)) return;
  const isDue = 'days' in expiry ? sql`v.uploaded_at < ${daysAgo(expiry.days)}` : sql`true`;
  await deleteVersions(
    db,
    deletion,
    ruled,
    (from) => sql`
    select v.id, v.key, v.object_key, v.pieces from file_versions v
    where ${keysOf('v', ruled, from)} and v.is_delete_marker and v.trashed_at is null and ${isDue}
      and ${conditionsOf('v', ruled)}
      and not exists (select from stored_files f where f.bucket_id = v.bucket_id and f.key = v.key)
      and not exists (
        select from file_versions o
        where o.bucket_id = v.bucket_id and o.key = v.key and o.trashed_at is null and o.id <> v.id
      )
    order by v.key limit ${AT_ONCE}`,
  );
}

/** Versions that are not the current one: a marker that is the latest of its key is that. */
async function expireFormer(db: Kysely<Database>, { deletion }: Parts, ruled: Ruled): Promise<void> {
  const { days = 0, kept = 0 } = ruled.rule.former ?? {};
  await deleteVersions(
    db,
    deletion,
    ruled,
    (from) => sql`
    select v.id, v.key, v.object_key, v.pieces from (
      select o.*, row_number() over (partition by o.key order by o.replaced_at desc, o.id desc)
        - case when f.id is null then 1 else 0 end as nth
      from file_versions o left join stored_files f on f.bucket_id = o.bucket_id and f.key = o.key
      where ${keysOf('o', ruled, from)} and o.trashed_at is null
    ) v
    where v.nth > ${kept} and v.nth > 0 and v.replaced_at < ${daysAgo(days)} and ${conditionsOf('v', ruled)}
    order by v.key limit ${AT_ONCE}`,
  );
}

async function deleteVersions(
  db: Kysely<Database>,
  deletion: BytesDeletion,
  ruled: Ruled,
  due: (from: string) => RawBuilder<unknown>,
): Promise<void> {
  await inLots(db, ruled, async (trx, from) => {
    const { rows } = await (
      due(from) as RawBuilder<Parameters<typeof deleteFormer>[2] & { key: string }>
    ).execute(trx);
    for (const row of rows) await deleteFormer(trx, deletion, row);
    return lastOf(rows);
  });
}

async function giveUpUploads(db: Kysely<Database>, parts: Parts, ruled: Ruled): Promise<void> {
  const { abortDays = 0 } = ruled.rule;
  await abortUploads(db, parts, (uploads) =>
    uploads.where(keysOf('multipart_uploads', ruled)).where('createdAt', '<', daysAgo(abortDays)),
  );
}
