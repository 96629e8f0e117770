import { MAX_FOLDERS, type storage } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { uploadsBucket } from '../buckets/service.ts';

/** The bucket that a call is about: one of the workspace's own, or that of the console's files. Throws 404. */
export async function bucketOf(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  bucketId: string | undefined,
): Promise<string> {
  if (bucketId === undefined) return uploadsBucket(db, ownerId);
  const bucket = await db
    .selectFrom('buckets')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', bucketId)
    .executeTakeFirst();
  if (!bucket) throw notFound();
  return bucket.id;
}

/** The paths of a bucket's files, each found by one look into the index. Throws 404. */
export async function listFolders(ctx: UserContext, bucketId: string | undefined): Promise<string[]> {
  const bucket = await bucketOf(ctx, bucketId);
  const next = (after: ReturnType<typeof sql>) => sql`(
    select f.file_path from stored_files f
    where f.bucket_id = ${bucket} and octet_length(f.file_path) <= 1024 and f.file_path collate "C" > ${after}
    order by f.file_path collate "C" limit 1)`;
  const { rows } = await sql<{ path: string }>`
    with recursive paths (path, number) as (
      select first.file_path, 1 from ${next(sql`''`)} as first
      union all
      select following.file_path, number + 1 from paths, lateral ${next(sql`path`)} as following
      where number < ${MAX_FOLDERS}
    )
    select path from paths order by number`.execute(ctx.db);
  return rows.map(({ path }) => path);
}

/**
 * The folders that lie directly in a folder, by their paths. Each is found by one look into the index, however many
 * files lie in it or beside it. Throws 404.
 */
export async function listSubfolders(
  ctx: UserContext,
  { bucketId, folder, after }: z.output<typeof storage.subfolders.input>,
): Promise<string[]> {
  const bucket = await bucketOf(ctx, bucketId);
  const { rows } = await walk(ctx.db, {
    bucket,
    folder,
    from: after === undefined ? folder : successorOf(after),
  });
  return rows.map(({ child }) => child);
}

/** The least path that is neither this folder nor below it: `0` comes right after the slash. */
export function successorOf(folder: string): string {
  return `${folder.slice(0, -1)}0`;
}

function walk(
  db: Kysely<Database>,
  { bucket, folder, from }: { bucket: string; folder: string; from: string },
) {
  const childOf = (path: string) =>
    sql`${folder}::text || split_part(substr(${sql.raw(path)}, length(${folder}::text) + 1), '/', 1) || '/'`;
  const next = (bound: ReturnType<typeof sql>) => sql`(
    select f.file_path from stored_files f
    where f.bucket_id = ${bucket} and octet_length(f.file_path) <= 1024
      and f.file_path collate "C" > ${bound} and f.file_path collate "C" < ${successorOf(folder)}
    order by f.file_path collate "C" limit 1)`;
  return sql<{ child: string }>`
    with recursive children as (
      select ${childOf('path')} as child, 1 as number from ${next(sql`${from}::text`)} as first (path)
      union all
      select ${childOf('path')}, number + 1
      from children, lateral ${next(sql`left(child, -1) || '0'`)} as following (path)
      where number < ${MAX_FOLDERS}
    )
    select child from children order by number`.execute(db);
}
