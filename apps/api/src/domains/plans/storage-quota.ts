import { STORAGE_REMEDY } from '@nephos/contracts/constants';
import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Expression, type Kysely, sql } from 'kysely';
import { forbidden, type Refusal } from '../../core/errors.ts';
import { lockAccountWithNext } from '../../platform/account-lock.ts';
import { byteSize } from '../../platform/byte-size.ts';
import { type Allowance, allowanceOf, type Plans, planRows } from './plan.ts';

/** Someone's plan, and the bytes of all their files and images. */
export interface StorageQuota {
  plan: Allowance;
  /** Bytes, with those of unfinished uploads and of the trash. */
  used: number;
  /** Bytes of deleted files, which go where room is needed. */
  trash: number;
  /** Bytes of images that are being uploaded, or were begun and not finished. */
  unfinished: number;
}

const USED = ['stored', 'unfinished', 'trash'] as const;

type Used = Record<(typeof USED)[number], number>;

const NOTHING: Used = { stored: 0, unfinished: 0, trash: 0 };

/** Bytes of files and images: what the meters say, which follow each change in its own transaction; and of uploads. */
function usedBy(userId: Expression<string>) {
  return sql<Used>`(
    select stored, unfinished, (
      select coalesce(sum(file_size), 0)::bigint from file_versions
      where owner_id = ${userId} and trashed_at is not null
    ) as trash from storage_of(${userId}))`.as<'used'>(sql`used`);
}

const usedStorage = prepare((db, parameter: Parameter<{ userId: string }>) =>
  db
    .selectFrom(usedBy(parameter('userId')))
    .select(USED)
    .compile(),
);

const quota = prepare((db, parameter: Parameter<{ userId: string }>) =>
  planRows(db, parameter('userId'))
    .crossJoin(usedBy(parameter('userId')))
    .select(USED)
    .compile(),
);

function sumOf({ stored, unfinished, trash }: Used): Omit<StorageQuota, 'plan'> {
  return { used: stored + unfinished, unfinished, trash };
}

async function readUsed(db: Kysely<Database>, userId: string): Promise<Omit<StorageQuota, 'plan'>> {
  const [row] = await usedStorage(db, { userId });
  return sumOf(row ?? NOTHING);
}

export async function readQuota({ db, settings }: Plans, userId: string): Promise<StorageQuota> {
  const [row] = await quota(db, { userId });
  if (!row) return { plan: allowanceOf(settings, undefined), ...sumOf(NOTHING) };
  const { stored, unfinished, trash, ...plan } = row;
  return { plan: allowanceOf(settings, plan), ...sumOf({ stored, unfinished, trash }) };
}

/** Bytes that may still be stored. */
export function roomOf({ plan, used, trash }: StorageQuota): number {
  return Math.max(plan.storage - used + trash, 0);
}

/** 403: says what the plan holds, what is used, and what can be done about it. */
export function quotaExceeded({ plan, used, unfinished, trash }: StorageQuota): Refusal {
  const uploads = unfinished > 0 ? `, including ${byteSize(unfinished)} of unfinished image uploads` : '';
  return forbidden(
    'QUOTA_EXCEEDED',
    `${storageIn(plan)} and ${byteSize(used - trash)} are in use${uploads}, so this does not fit. ${STORAGE_REMEDY}, or ` +
      `${moreThan(plan)}.`,
  );
}

/** How much there may be, as the beginning of a sentence. */
export function storageIn({ name, storage, set }: Allowance): string {
  return set.storage === null
    ? `Your ${name} plan includes ${byteSize(storage)} of storage`
    : `An admin limits your storage to ${byteSize(storage)}`;
}

/** What to do for more of it. */
export function moreThan({ set }: Allowance): string {
  return set.storage === null ? 'upgrade your plan under Billing' : 'ask an admin for more';
}

/**
 * Runs `work`, which may store more, in a transaction. Throws 403 QUOTA_EXCEEDED, which undoes it, where with it more
 * is stored than the plan holds. Under the account's lock, so that of writes at the same time only those pass that fit.
 */
export function withinQuota<T>(
  { db, settings }: Plans,
  userId: string,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return atomically(db, async (trx) => {
    await lockAccountWithNext(trx, userId);
    const before = await readQuota({ db: trx, settings }, userId);
    const result = await work(trx);
    const { used, trash } = await readUsed(trx, userId);
    // What adds nothing, as a push of what is there already, is fine in a plan that has become too small.
    const tooMuch = used - Math.max(before.plan.storage, before.used);
    if (tooMuch > trash) throw quotaExceeded(before);
    if (tooMuch > 0) await freeTrash(trx, userId, tooMuch);
    return result;
  });
}

/** Deletes of somebody's trash what was deleted first, until `bytes` are free. The objects are swept. */
async function freeTrash(trx: Kysely<Database>, ownerId: string, bytes: number): Promise<void> {
  await sql`
    delete from file_versions where id in (
      select id from (
        select id, sum(file_size) over (order by trashed_at, id) - file_size as freed_before
        from file_versions where owner_id = ${ownerId} and trashed_at is not null
      ) trash where freed_before < ${bytes}
    )`.execute(trx);
}
