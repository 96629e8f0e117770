import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { oldObjects } from '../../platform/object-store/old-objects.ts';
import { FILE_OBJECTS } from './file-bytes.ts';

const BASE = /^files\/[^/]+/;

/** Deletes objects that no row refers to: of uploads cut between the two, and of accounts that are gone. */
export async function sweepOrphans(db: Kysely<Database>, objects: ObjectStore): Promise<void> {
  for await (const keys of oldObjects(objects, FILE_OBJECTS)) {
    const referenced = await referencedOf(db, keys);
    for (const key of keys) if (!referenced.has(key)) await objects.delete(key);
  }
}

/** Of some objects those that rows refer to, as one statement sees them: an upload becomes a file at one instant. */
async function referencedOf(db: Kysely<Database>, keys: readonly string[]): Promise<Set<string>> {
  const bases = [...new Set(keys.flatMap((key) => BASE.exec(key) ?? []))];
  const { rows } = await sql<{ key: string }>`
    select f.object_key || coalesce('/' || (piece ->> 'name'), '') as key
    from (
      select object_key, pieces from stored_files where object_key = any(${bases})
      union all select object_key, pieces from file_versions where object_key = any(${bases})
    ) f left join lateral jsonb_array_elements(f.pieces) as piece on true
    union all
    select u.object_key || '/' || p.name from multipart_uploads u join multipart_parts p on p.upload_id = u.id
    where u.object_key = any(${bases})`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
