import type { StoredFile } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { toBase64 } from './data-url.ts';

/**
 * The list as JSON with each file's bytes as a data URL, one piece after the other, so that memory stays flat however
 * much there is. A file that was deleted since has `fileData` null.
 */
export async function* fileListJson(
  { db, objects }: { db: Kysely<Database>; objects: ObjectStore },
  ownerId: string,
  files: readonly StoredFile[],
): AsyncGenerator<string> {
  let separator = '[';
  for (const file of files) {
    yield `${separator}${JSON.stringify(file).slice(0, -1)},"fileData":`;
    separator = ',';
    const row = await db
      .selectFrom('storedFiles')
      .select(['objectKey', 'charset'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', file.id)
      .executeTakeFirst();
    const bytes = row && (await objects.get(row.objectKey));
    if (!bytes) yield 'null}';
    else {
      yield `"data:${file.mimeType}${row.charset === null ? '' : `;charset=${row.charset}`};base64,`;
      yield* toBase64(bytes);
      yield '"}';
    }
  }
  yield separator === '[' ? '[]' : ']';
}
