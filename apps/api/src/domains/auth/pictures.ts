import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { picturePath } from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { fetchPicture, type Picture } from './fetch-picture.ts';

/** Milliseconds for the whole of a picture, and for which a log-in waits for it. */
const PATIENCE = 5000;
const HOLD_UP = 1500;

/** Brings people's pictures here: a browser of the console asks no other server for anything. */
export interface Pictures {
  /**
   * Makes somebody's picture the one that their identity provider names, or none. Resolves when that is done, or after
   * a moment while it goes on; never rejects: nobody is kept out for a picture.
   */
  follow(userId: string, told: { address: string | undefined; issuer: string }): Promise<void>;
  /** Gives up what is under way. */
  stop(): Promise<void>;
}

type Parts = Pick<Platform, 'log' | 'db'>;

export function createPictures({ log, db }: Parts): Pictures {
  const stopped = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function change(...[userId, { address, issuer }]: Parameters<Pictures['follow']>): Promise<void> {
    try {
      const trustedOrigin = new URL(issuer).origin;
      if (!address) return await removePicture(db, userId);
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(PATIENCE)]);
      await storePicture(db, userId, await fetchPicture(address, { trustedOrigin, signal }));
    } catch (error) {
      log.warn({ userId, reason: String(error) }, 'a profile picture could not be brought here');
    }
  }

  return {
    async follow(userId, told) {
      const changing = change(userId, told).finally(() => underWay.delete(changing));
      underWay.add(changing);
      const waited = new AbortController();
      const { signal } = waited;
      await Promise.race([changing, pause(HOLD_UP, undefined, { signal, ref: false }).catch(() => {})]);
      waited.abort();
    },
    async stop() {
      stopped.abort();
      await Promise.all(underWay);
    },
  };
}

async function storePicture(db: Parts['db'], userId: string, { mediaType, bytes }: Picture): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('profilePictures')
      .values({ userId, mediaType, bytes, sha256 })
      .onConflict((conflict) =>
        conflict.column('userId').doUpdateSet({
          mediaType,
          bytes,
          sha256,
          id: sql<string>`case when profile_pictures.sha256 = ${sha256} then profile_pictures.id else uuid7() end`,
          storedAt: sql<string>`case when profile_pictures.sha256 = ${sha256} then profile_pictures.stored_at else now() end`,
        }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('users')
      .set({ profileImageUrl: picturePath(id) })
      .where('id', '=', userId)
      .execute();
  });
}

async function removePicture(db: Parts['db'], userId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('profilePictures').where('userId', '=', userId).execute();
    await trx.updateTable('users').set({ profileImageUrl: null }).where('id', '=', userId).execute();
  });
}

/** One's own picture, and for admins anybody's; its bytes are read only where they are sent. Throws 404. */
export async function readPicture({ db, user }: UserContext, id: string): Promise<BytesAnswer> {
  const picture = db
    .selectFrom('profilePictures')
    .$if(user.role !== 'admin', (all) => all.where('userId', '=', user.id))
    .where('id', '=', id);
  const found = await picture
    .select(['mediaType', 'sha256', 'storedAt', sql<number>`octet_length(bytes)`.as('length')])
    .executeTakeFirst();
  if (!found) throw notFound();
  const { mediaType, length, sha256, storedAt } = found;
  return {
    type: mediaType,
    length,
    validators: { etag: `"${sha256}"`, modifiedAt: new Date(storedAt) },
    async body(range) {
      // Another picture has another id.
      const kept = await picture.select('bytes').executeTakeFirst();
      if (!kept) throw notFound();
      return range ? kept.bytes.subarray(range.start, range.end + 1) : kept.bytes;
    },
  };
}
