import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { NoSuchUpload, UploadConflict } from './object-store.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Seconds for which an upload stays with a server that says nothing any more. */
const HELD_SECONDS = 10;
/** Milliseconds after which who holds it says so again. */
const SAY_AGAIN_MS = 3000;

/** Where the bytes of an upload are. */
export interface UploadState {
  /** All of them, in bytes. */
  size: number;
  /** What the store calls the multipart upload; null while there is none. */
  multipartId: string | null;
  /** Entity tags of its parts, in their order. */
  parts: readonly string[];
  /** The object that has what comes after the parts; once finished, all. */
  restKey: string | null;
  isFinished: boolean;
}

/** An upload that one call has to itself. */
export interface HeldUpload {
  id: string;
  /** As it was found. */
  state: UploadState;
  /** Writes down what has become of it. Rejects with `UploadConflict` where somebody else has it by now. */
  change(changes: Partial<UploadState>): Promise<void>;
  /** The same for one more part, which belongs to the multipart upload `multipartId`. */
  addPart(part: { multipartId: string; tag: string; size: number }): Promise<void>;
  forget(): Promise<void>;
}

export type UploadRows = ReturnType<typeof createUploadRows>;

/** Uploads as rows of our own database, where every server finds them. */
export function createUploadRows(db: Kysely<Database>) {
  async function find(id: string): Promise<Pick<UploadState, 'size' | 'isFinished'> | undefined> {
    if (!ID.test(id)) return undefined;
    return db
      .selectFrom('objectUploads')
      .select(['size', 'isFinished'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  async function hold(id: string, holder: string): Promise<UploadState> {
    const held = ID.test(id)
      ? await db
          .updateTable('objectUploads')
          .set({ holder, heldUntil: later(), touchedAt: sql<string>`now()` })
          .where('id', '=', id)
          .where(({ or, eb }) => or([eb('holder', 'is', null), eb('heldUntil', '<', sql<string>`now()`)]))
          .returning(['size', 'multipartId', 'parts', 'restKey', 'isFinished'])
          .executeTakeFirst()
      : undefined;
    if (held) return held;
    const found = await find(id);
    if (!found) throw new NoSuchUpload();
    throw new UploadConflict(found.size);
  }

  /** Whoever lost the upload, being still for too long, may write down nothing more. */
  async function orConflict(id: string, { numUpdatedRows }: { numUpdatedRows: bigint }): Promise<void> {
    if (numUpdatedRows === 0n) throw new UploadConflict((await find(id))?.size ?? 0);
  }

  return {
    find,

    async begin(): Promise<string> {
      const id = randomUUID();
      await db.insertInto('objectUploads').values({ id }).execute();
      return id;
    },

    /** Does `work` while nobody else has the upload. Rejects with `NoSuchUpload` or `UploadConflict`. */
    async alone<T>(id: string, work: (upload: HeldUpload) => Promise<T>): Promise<T> {
      const holder = randomUUID();
      const state = await hold(id, holder);
      const mine = () => db.updateTable('objectUploads').where('id', '=', id).where('holder', '=', holder);
      const sayAgain = () => mine().set({ heldUntil: later() }).execute();
      // Where this fails, the next change does too, or the upload is somebody else's by then.
      const saying = setInterval(() => sayAgain().catch(() => {}), SAY_AGAIN_MS);
      try {
        return await work({
          ...{ id, state },
          change: async ({ parts, ...changes }) =>
            orConflict(
              id,
              await mine()
                .set({ ...changes, ...(parts && { parts: [...parts] }), heldUntil: later() })
                .executeTakeFirst(),
            ),
          addPart: async ({ multipartId, tag, size }) =>
            orConflict(
              id,
              await mine()
                .set({
                  ...{ multipartId, size, restKey: null, heldUntil: later() },
                  parts: sql<string[]>`array_append(parts, ${tag})`,
                })
                .executeTakeFirst(),
            ),
          forget: async () => {
            await db.deleteFrom('objectUploads').where('id', '=', id).where('holder', '=', holder).execute();
          },
        });
      } finally {
        clearInterval(saying);
        // Where this fails, it is free in a few seconds.
        await mine()
          .set({ holder: null, heldUntil: null })
          .execute()
          .catch(() => {});
      }
    },

    /** Uploads that nobody has touched for so many hours. */
    async untouched(hours: number): Promise<string[]> {
      const rows = await db
        .selectFrom('objectUploads')
        .select('id')
        .where('touchedAt', '<', sql<string>`now() - make_interval(hours => ${hours})`)
        .where(({ or, eb }) => or([eb('holder', 'is', null), eb('heldUntil', '<', sql<string>`now()`)]))
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

function later() {
  return sql<string>`now() + make_interval(secs => ${HELD_SECONDS})`;
}
