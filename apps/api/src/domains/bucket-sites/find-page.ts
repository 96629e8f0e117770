import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { keptHeaders, typeOf } from '../storage/s3/object-headers.ts';
import type { FileRow } from '../storage/service.ts';

/** A file of a site, as it is sent. */
export interface SiteFile
  extends Pick<FileRow, 'id' | 'fileSize' | 'etag' | 'uploadedAt' | 'objectKey' | 'pieces'> {
  /** `Content-Type`. */
  type: string;
  headers: Record<string, string>;
}

/** What is answered at a path: a file, in the place of what is not there with 404, or the address of a folder. */
export type SitePage = { file: SiteFile; status: 200 | 404 } | { location: string };

/** What a public bucket that is a site answers at a path with its query; undefined where it has nothing to say. */
export async function findPage(
  db: Kysely<Database>,
  bucketId: string,
  target: string,
): Promise<SitePage | undefined> {
  const bucket = await db
    .selectFrom('buckets')
    .select('site')
    .where('id', '=', bucketId)
    .where('isPublic', '=', true)
    .executeTakeFirst();
  if (!bucket?.site) return undefined;
  const { index, notFound } = bucket.site;
  const [path = '/', query] = target.split(/\?(.*)/s);
  const key = keyOf(path);
  if (key !== undefined) {
    const isFolder = key === '' || key.endsWith('/');
    const found = await filesAt(db, bucketId, isFolder ? [`${key}${index}`] : [key, `${key}/${index}`]);
    const file = found.get(isFolder ? `${key}${index}` : key);
    if (file) return { file: shown(file), status: 200 };
    // Relative links of a folder's page need the slash; an address that begins with two would be another host's.
    const isSafe = !/^[/\\]{2}/.test(path);
    if (found.size > 0 && isSafe) return { location: `${path}/${query === undefined ? '' : `?${query}`}` };
  }
  if (notFound === null) return undefined;
  const instead = (await filesAt(db, bucketId, [notFound])).get(notFound);
  return instead && { file: shown(instead), status: 404 };
}

/** The key that a path names; undefined where it names none. */
function keyOf(path: string): string | undefined {
  try {
    const key = decodeURIComponent(path.slice(1));
    return key.includes('\0') ? undefined : key;
  } catch {
    return undefined;
  }
}

async function filesAt(
  db: Kysely<Database>,
  bucketId: string,
  keys: readonly string[],
): Promise<Map<string, FileRow>> {
  const rows = await db
    .selectFrom('storedFiles')
    .selectAll()
    .where('bucketId', '=', bucketId)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.flatMap((row) => (row.key === null ? [] : [[row.key, row] as const])));
}

function shown(row: FileRow): SiteFile {
  const { id, fileSize, etag, uploadedAt, objectKey, pieces } = row;
  const type = typeOf(row);
  const isPlain = type === row.mimeType && row.mimeType.startsWith('text/');
  return {
    ...{ id, fileSize, etag, uploadedAt, objectKey, pieces },
    type: isPlain ? `${type}; charset=utf-8` : type,
    headers: Object.fromEntries(
      Object.entries(keptHeaders(row)).filter(([name]) => !name.startsWith('x-amz-')),
    ),
  };
}
