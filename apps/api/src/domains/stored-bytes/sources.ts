import type { Database } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ExpectedDigest } from '../../platform/object-store/object-store.ts';
import type { Platform } from '../../platform/platform.ts';
import { forgetMirrored, mirroredKey } from '../containers/mirror/mirror-store.ts';
import { blobKey, parseDigest } from '../containers/registry/digest.ts';
import { baseKey, walKey } from '../database-backups/kept-objects.ts';
import { pieceKey } from '../storage/file-bytes.ts';

/** Something whose bytes are in the object store, with what tells whether they are as they were stored. */
export interface StoredItem {
  /** Unique in its source, in the order in which that is read. */
  id: string;
  ownerId: string | null;
  /** As people call it. */
  name: string;
  /** Where its bytes are, one after another. */
  keys: readonly string[];
  size: number;
  /** Lower-case hex of all of them; with `parts`, MD5 of the MD5s of each object's bytes. Undefined: nobody knows. */
  digest: { algorithm: 'sha256' | 'sha512' | 'md5'; hex: string; parts?: boolean } | undefined;
}

export interface Source {
  /** What one is called. */
  what: string;
  /** Up to `limit` items with ids behind `after`, in their order. */
  next(db: Kysely<Database>, after: string, limit: number): Promise<StoredItem[]>;
  find(db: Kysely<Database>, id: string): Promise<StoredItem | undefined>;
  /** Bytes of them all. */
  total(db: Kysely<Database>): Promise<number>;
  /** Deletes what is damaged or missing, where it comes again by itself; what has none is named. */
  discard?(stores: Pick<Platform, 'db' | 'objects'>, id: string): Promise<void>;
}

interface SourceQuery<Row> extends Pick<Source, 'what' | 'total' | 'discard'> {
  /** The id of a row. */
  id: RawBuilder<string>;
  /** Its rows, from `from` on; `where` and what follows are added. */
  rows: RawBuilder<Row>;
  itemOf(row: Row): StoredItem;
}

function createSource<Row>({ id, rows, itemOf, ...rest }: SourceQuery<Row>): Source {
  return {
    ...rest,
    async next(db, after, limit) {
      const found = await sql<Row>`${rows} and ${id} > ${after} order by ${id} limit ${limit}`.execute(db);
      return found.rows.map(itemOf);
    },
    async find(db, wanted) {
      const [row] = (await sql<Row>`${rows} and ${id} = ${wanted}`.execute(db)).rows;
      return row && itemOf(row);
    },
  };
}

interface FileRow {
  id: string;
  ownerId: string;
  name: string;
  size: number;
  sha256: string | null;
  etag: string;
  pieces: { name: string }[] | null;
}

/** An entity tag of S3's: the bytes' MD5, or that of the MD5s of so many parts. */
const ETAG = /^([0-9a-f]{32})(?:-(\d+))?$/;

function digestOfFile({ sha256, etag, pieces }: FileRow): StoredItem['digest'] {
  if (sha256 !== null) return { algorithm: 'sha256', hex: sha256 };
  const [, hex, parts] = ETAG.exec(etag) ?? [];
  if (hex === undefined) return undefined;
  if (parts === undefined) return { algorithm: 'md5', hex };
  return Number(parts) === pieces?.length ? { algorithm: 'md5', hex, parts: true } : undefined;
}

function fileOf(row: FileRow): StoredItem {
  const { id, ownerId, name, size, pieces } = row;
  const keys = pieces === null ? [id] : pieces.map((piece) => pieceKey(id, piece.name));
  return { id, ownerId, name, size, keys, digest: digestOfFile(row) };
}

function filesOf(table: 'stored_files' | 'file_versions', what: string): Source {
  return createSource<FileRow>({
    what,
    total: (db) => sumOf(db, 'file_size', table),
    id: sql`object_key`,
    rows: sql`
      select object_key as id, owner_id, file_path || file_name as name, file_size as size, sha256, etag, pieces
      from ${sql.table(table)} where object_key is not null`,
    itemOf: fileOf,
  });
}

const blobs = createSource<{ id: string; size: number; ownerId: string | null; name: string | null }>({
  what: 'Image layer',
  total: (db) => sumOf(db, 'size', 'container_blobs'),
  id: sql`blob.digest`,
  rows: sql`
    select blob.digest as id, blob.size, repository.owner_id, repository.name
    from container_blobs blob left join lateral (
      select r.owner_id, r.name from container_blob_links link
        join container_repositories r on r.id = link.repository_id
      where link.digest = blob.digest order by link.created_at limit 1
    ) repository on true
    where true`,
  itemOf({ id, size, ownerId, name }) {
    const digest = expectedOf(id);
    return { id, ownerId, name: `${name ?? 'no repository'}@${id}`, keys: [blobKey(digest)], size, digest };
  },
});

/** What is pulled through from another registry, which has it still. */
const mirrored = createSource<{ id: string; size: number }>({
  what: 'Image of another registry',
  total: (db) => sumOf(db, 'size', 'mirrored_contents'),
  id: sql`digest`,
  rows: sql`select digest as id, size from mirrored_contents where true`,
  itemOf({ id, size }) {
    const digest = expectedOf(id);
    return { id, ownerId: null, name: id, keys: [mirroredKey(digest)], size, digest };
  },
  discard: forgetMirrored,
});

function expectedOf(digest: string): ExpectedDigest {
  const expected = parseDigest(digest);
  if (!expected) throw new Error(`${digest} is no digest`);
  return expected;
}

interface KeptRow {
  id: string;
  archiveId: string;
  /** Of the backup, or the piece of the log, in its archive. */
  part: string;
  size: number;
  sha256: string;
  ownerId: string;
  /** The database's. */
  name: string;
}

const itemOfKept =
  (keyOf: (archiveId: string, part: string) => string) =>
  ({ id, archiveId, part, size, sha256, ownerId, name }: KeptRow): StoredItem => ({
    ...{ id, ownerId, name, size, keys: [keyOf(archiveId, part)] },
    digest: { algorithm: 'sha256', hex: sha256 },
  });

const bases = createSource<KeptRow>({
  what: 'Database backup',
  total: (db) => sumOf(db, 'size', 'database_backups'),
  id: sql`backup.id::text`,
  rows: sql`
    select backup.id, backup.id as part, backup.archive_id, backup.size, backup.sha256, archive.owner_id,
      managed.name
    from database_backups backup join database_archives archive on archive.id = backup.archive_id
      join managed_databases managed on managed.id = archive.database_id
    where backup.status = 'done' and backup.sha256 is not null`,
  itemOf: itemOfKept(baseKey),
});

const wal = createSource<KeptRow>({
  what: 'Log of a database',
  total: (db) => sumOf(db, 'size', 'database_wal'),
  id: sql`(wal.archive_id || '/' || wal.name)`,
  rows: sql`
    select wal.archive_id || '/' || wal.name as id, wal.name as part, wal.archive_id, wal.size, wal.sha256,
      archive.owner_id, managed.name
    from database_wal wal join database_archives archive on archive.id = wal.archive_id
      join managed_databases managed on managed.id = archive.database_id
    where true`,
  itemOf: itemOfKept(walKey),
});

async function sumOf(db: Kysely<Database>, column: string, table: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(${sql.ref(column)}), 0)::bigint as total from ${sql.table(table)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Whatever is in the object store for good, by a name that the rows of a round keep. */
export const SOURCES: Readonly<Record<string, Source>> = {
  files: filesOf('stored_files', 'File'),
  versions: filesOf('file_versions', 'Earlier version of a file'),
  blobs,
  mirrored,
  bases,
  wal,
};
