import { randomBytes, randomInt } from 'node:crypto';
import type { buckets, CreatedStorageKey, StorageKey } from '@nephos/contracts';
import { MAX_STORAGE_KEYS } from '@nephos/contracts/constants';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Lets people and scanners of repositories recognise a key that leaked. */
const PREFIX = 'NPHS';
const RANDOM_LETTERS = 16;
/** 40 characters of base64, as S3 clients expect. */
const KEY_BYTES = 30;

/** Binds a sealed key to the id that it belongs to. */
export const contextOfKey = (id: string) => `storage-key:${id}`;

/** Newest first. */
export function listKeys({ db, ownerId }: UserContext): Promise<StorageKey[]> {
  return shownKeys(db, ownerId)
    .orderBy('storageKeys.createdAt', 'desc')
    .orderBy('storageKeys.id')
    .limit(MAX_STORAGE_KEYS)
    .execute();
}

/** Makes a pair of keys for one bucket or all. Throws 400 for a bucket that is not there, 409 where there are too many. */
export function createKey(
  { db, user, ownerId, audit }: UserContext,
  secrets: SecretsBox,
  { name, access, bucketId = null }: z.output<typeof buckets.createKey.input>,
): Promise<CreatedStorageKey> {
  const id =
    PREFIX + Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const secretAccessKey = randomBytes(KEY_BYTES).toString('base64');
  return atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    await assertRoom(trx, ownerId);
    if (bucketId !== null) await assertBucket(trx, ownerId, bucketId);
    const sealedKey = secrets.seal(secretAccessKey, contextOfKey(id));
    await trx
      .insertInto('storageKeys')
      .values({ id, ownerId, userId: user.id, bucketId, name, access, sealedKey })
      .execute();
    audit.note({ subject: { kind: 'bucket', id: bucketId, name }, after: { accessKeyId: id, access } });
    const key = await shownKeys(trx, ownerId).where('storageKeys.id', '=', id).executeTakeFirstOrThrow();
    return { ...key, secretAccessKey };
  });
}

/** From when it resolves, nothing is accepted that is signed with it. Throws 404. */
export async function removeKey({ db, ownerId, audit }: UserContext, id: string): Promise<{ success: true }> {
  const removed = await db
    .deleteFrom('storageKeys')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .returning(['name', 'bucketId', 'access'])
    .executeTakeFirst();
  if (!removed) throw notFound();
  const { name, bucketId, access } = removed;
  audit.note({ subject: { kind: 'bucket', id: bucketId, name }, before: { accessKeyId: id, access } });
  return { success: true };
}

function shownKeys(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('storageKeys')
    .innerJoin('users', 'users.id', 'storageKeys.userId')
    .leftJoin('buckets', 'buckets.id', 'storageKeys.bucketId')
    .select([
      ...(['storageKeys.id', 'storageKeys.name', 'storageKeys.access'] as const),
      ...(['storageKeys.createdAt', 'storageKeys.lastUsedAt'] as const),
      sql<StorageKey['bucket']>`case when buckets.id is not null
        then jsonb_build_object('id', buckets.id, 'name', buckets.name) end`.as('bucket'),
      sql<StorageKey['madeBy']>`jsonb_build_object(
        'id', users.id, 'name', coalesce(nullif(concat_ws(' ', users.first_name, users.last_name), ''), users.email))`.as(
        'madeBy',
      ),
    ])
    .where('storageKeys.ownerId', '=', ownerId);
}

async function assertRoom(trx: Kysely<Database>, ownerId: string): Promise<void> {
  const { keys } = await trx
    .selectFrom('storageKeys')
    .select(({ fn }) => fn.countAll<number>().as('keys'))
    .where('ownerId', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (keys >= MAX_STORAGE_KEYS) {
    throw conflict('LIMIT', `A workspace can have up to ${MAX_STORAGE_KEYS} access keys. Delete one first.`);
  }
}

async function assertBucket(trx: Kysely<Database>, ownerId: string, id: string): Promise<void> {
  const bucket = await trx
    .selectFrom('buckets')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (bucket) return;
  const message = 'There is no such bucket in this workspace.';
  throw invalid(message, [{ path: 'bucketId', message }]);
}
