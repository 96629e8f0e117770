import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { oldObjects } from '../../platform/object-store/old-objects.ts';
import { ARCHIVES } from './kept-objects.ts';

const KEY = /^backups\/([0-9a-f-]{36})\/(base|wal)\/(.+)$/;

/** Deletes from the store what no row refers to any more: of databases that are gone, and of what was kept long enough. */
export async function sweepObjects(db: Kysely<Database>, objects: ObjectStore): Promise<void> {
  for await (const keys of oldObjects(objects, ARCHIVES)) {
    const known = await knownOf(db, keys);
    for (const key of keys) if (!known.has(key)) await objects.delete(key);
  }
}

async function knownOf(db: Kysely<Database>, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const parsed = keys.flatMap((key) => {
    const [, archiveId, kind, name] = KEY.exec(key) ?? [];
    return archiveId && kind && name ? [{ key, archiveId, kind, name }] : [];
  });
  const archives = [...new Set(parsed.map(({ archiveId }) => archiveId))];
  const names = (kind: string) => parsed.flatMap((each) => (each.kind === kind ? [each.name] : []));
  if (archives.length === 0) return new Set();
  const bases = await db
    .selectFrom('databaseBackups')
    .select(['archiveId', 'id as name'])
    .where('archiveId', 'in', archives)
    .where('status', '<>', 'failed')
    .execute();
  const wal = names('wal').length
    ? await db
        .selectFrom('databaseWal')
        .select(['archiveId', 'name'])
        .where('archiveId', 'in', archives)
        .where('name', 'in', names('wal'))
        .execute()
    : [];
  const found = new Set([
    ...bases.map(({ archiveId, name }) => `${archiveId}/base/${name}`),
    ...wal.map(({ archiveId, name }) => `${archiveId}/wal/${name}`),
  ]);
  return new Set(
    parsed.flatMap(({ key, archiveId, kind, name }) =>
      found.has(`${archiveId}/${kind}/${name}`) ? [key] : [],
    ),
  );
}
