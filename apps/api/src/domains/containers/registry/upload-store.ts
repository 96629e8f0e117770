import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Expression, type Kysely, sql } from 'kysely';
import type { DigestAlgorithm } from '../../../platform/object-store/object-store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { quotaExceeded, readQuota } from '../../plans/storage-quota.ts';
import { denied } from './registry-error.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Longer than the object store keeps the bytes of an upload that nobody goes on with. */
const KEPT_HOURS = 25;
/** Uploads that one account can have open: enough for a hundred pushes at once. */
const UPLOADS_MAX = 500;

type Upload = {
  id: string;
  ownerId: string;
  /** Name of the repository it will belong to. */
  repository: string;
};

const openUploads = (ownerId: string | Expression<string>) =>
  sql<number>`(select count(*) from container_uploads where owner_id = ${ownerId})`;

const insertWhereRoom = prepare((db, parameter: Parameter<Upload>) =>
  sql<{ id: string }>`
    insert into container_uploads (id, owner_id, repository)
    select ${parameter('id')}::uuid, ${parameter('ownerId')}::uuid, ${parameter('repository')}
    where ${openUploads(parameter('ownerId'))} < ${UPLOADS_MAX}
    returning id`.compile(db),
);

/** Throws DENIED where the owner has too many already; of those that begin at the same moment a few more may pass. */
export async function beginUpload(
  { db, objects }: Pick<Platform, 'db' | 'objects'>,
  { algorithm, ...upload }: Omit<Upload, 'id'> & { algorithm: DigestAlgorithm },
): Promise<string> {
  const id = await objects.uploads.begin(algorithm);
  const [begun] = await insertWhereRoom(db, { id, ...upload });
  if (begun) return id;
  await objects.uploads.abort(id);
  const { open } = await db.selectNoFrom(openUploads(upload.ownerId).as('open')).executeTakeFirstOrThrow();
  throw denied(
    `You have ${open} unfinished uploads; the limit is ${UPLOADS_MAX}. Finish or cancel some, or wait: they expire after a day.`,
  );
}

const found = prepare((db, parameter: Parameter<Upload>) =>
  db
    .selectFrom('containerUploads')
    .select('id')
    .where('ownerId', '=', parameter('ownerId'))
    .where('repository', '=', parameter('repository'))
    .where('id', '=', parameter('id'))
    .compile(),
);

/** Whether this upload is the owner's, and for that repository. */
export async function findUpload(
  db: Kysely<Database>,
  { id, ownerId, repository }: Upload,
): Promise<boolean> {
  if (!ID.test(id)) return false;
  const [row] = await found(db, { id, ownerId, repository });
  return row !== undefined;
}

/**
 * Counts an upload as `most` bytes against its owner's quota, or as many as there is room for, and resolves to them.
 * Throws 403 QUOTA_EXCEEDED where that is less than `least`. Under the account's lock, so that parts of many uploads at
 * the same time share what room there is.
 */
export async function reserveSpace(
  of: Pick<Platform, 'db' | 'settings'>,
  { id, ownerId }: Pick<Upload, 'id' | 'ownerId'>,
  { least, most }: { least: number; most: number },
): Promise<number> {
  const quota = await readQuota(of, ownerId);
  // What is deleted makes way once the upload is an image.
  const holds = Math.min(quota.plan.storage + quota.trash, Number.MAX_SAFE_INTEGER);
  const { rows } = await sql<{ reserved: number | null }>`
    select reserve_upload(${id}, ${ownerId}, ${least}, ${most}, ${holds}) as reserved`.execute(of.db);
  const reserved = rows[0]?.reserved;
  if (typeof reserved !== 'number') throw quotaExceeded(quota);
  return reserved;
}

/** Writes down how many bytes an upload has: no more than were reserved. */
export async function setSize(db: Kysely<Database>, id: string, size: number): Promise<void> {
  await db
    .updateTable('containerUploads')
    .set({ size, touchedAt: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

const forget = prepare(
  (db, parameter: Parameter<{ id: string }>) =>
    db.deleteFrom('containerUploads').where('id', '=', parameter('id')).compile(),
  { unread: true },
);

export async function forgetUpload(db: Kysely<Database>, id: string): Promise<void> {
  await forget(db, { id });
}

/** Forgets the uploads that nobody has gone on with, after their bytes are gone. */
export async function sweepUploads(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('containerUploads')
    .where('touchedAt', '<', sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
}
