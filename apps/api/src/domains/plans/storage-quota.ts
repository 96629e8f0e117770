import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { forbidden, type Refusal } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { byteSize } from '../../platform/byte-size.ts';
import { type Allowance, type Plans, planOf } from './plan.ts';

/** Someone's plan, and the bytes of all their files and images. */
export interface StorageQuota {
  plan: Allowance;
  /** Bytes, with those of unfinished uploads. */
  used: number;
  /** Bytes of images that are being uploaded, or were begun and not finished. */
  unfinished: number;
}

/** Bytes of files and images: what the meters say, which follow each change in its own transaction; and of uploads. */
const usedStorage = prepare((db, parameter: Parameter<{ userId: string }>) =>
  sql<{ stored: number; unfinished: number }>`
    select stored, unfinished from storage_of(${parameter('userId')})`.compile(db),
);

async function readUsed(
  db: Kysely<Database>,
  userId: string,
): Promise<Pick<StorageQuota, 'used' | 'unfinished'>> {
  const [row] = await usedStorage(db, { userId });
  const unfinished = row?.unfinished ?? 0;
  return { used: (row?.stored ?? 0) + unfinished, unfinished };
}

export async function readQuota(plans: Plans, userId: string): Promise<StorageQuota> {
  return { plan: await planOf(plans, userId), ...(await readUsed(plans.db, userId)) };
}

/** Bytes that may still be stored. */
export function roomOf({ plan, used }: StorageQuota): number {
  return Math.max(plan.storage - used, 0);
}

/** 403: says what the plan holds, what is used, and what can be done about it. */
export function quotaExceeded({ plan, used, unfinished }: StorageQuota): Refusal {
  const uploads = unfinished > 0 ? `, including ${byteSize(unfinished)} of unfinished image uploads` : '';
  return forbidden(
    'QUOTA_EXCEEDED',
    `${storageIn(plan)} and ${byteSize(used)} are in use${uploads}, so this does not fit. Delete files or images, or ` +
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
    await lockAccount(trx, userId);
    const before = await readQuota({ db: trx, settings }, userId);
    const result = await work(trx);
    const { used } = await readUsed(trx, userId);
    // What adds nothing, as a push of what is there already, is fine in a plan that has become too small.
    if (used > before.plan.storage && used > before.used) throw quotaExceeded(before);
    return result;
  });
}
