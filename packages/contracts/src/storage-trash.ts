import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ManyFiles, ManyFilesOutcome } from './many-files.ts';
import { ById, Id, OptionalPage, Success } from './page.ts';
import { StoredFile } from './stored-files.ts';

/** Days for which a deleted file can be brought back, unless its bucket keeps versions. */
export const TRASH_DAYS = 7;

/** A file that was deleted. */
export const TrashedFile = z.object({
  /** Not that of the file. */
  id: Id,
  bucketId: Id,
  fileName: z.string(),
  filePath: z.string(),
  /** Bytes. */
  fileSize: z.int(),
  mimeType: z.string(),
  trashedAt: z.iso.datetime(),
  /** Whether it stays until it is deleted for good, since its bucket keeps versions; else it goes after seven days, or sooner where its room is needed. */
  isKept: z.boolean(),
});
export type TrashedFile = z.output<typeof TrashedFile>;

/** What was deleted in the console, and by S3 clients in buckets that keep versions; elsewhere theirs goes for good. */
export const storageTrash = {
  list: query({
    summary: `Files that were deleted, for ${TRASH_DAYS} days or where versions are kept, the last one first`,
    route: 'GET /api/storage/trash',
    input: OptionalPage,
    output: z.array(TrashedFile),
  }),
  restore: mutation({
    summary: 'Bring a deleted file back, as "name (2)" where its place is taken',
    route: 'POST /api/storage/trash/{id}/restore',
    perMinute: 120,
    input: ById,
    output: StoredFile,
  }),
  remove: mutation({
    summary: 'Delete a file in the trash for good, with its former versions',
    route: 'DELETE /api/storage/trash/{id}',
    perMinute: 120,
    input: ById,
    output: Success,
  }),
  restoreMany: mutation({
    summary: 'Bring deleted files back, and say of each what came of it',
    route: 'POST /api/storage/trash/restore',
    perMinute: 60,
    input: ManyFiles,
    output: ManyFilesOutcome,
  }),
  removeMany: mutation({
    summary: 'Delete files in the trash for good, and say of each what came of it',
    route: 'POST /api/storage/trash/remove',
    perMinute: 60,
    input: ManyFiles,
    output: ManyFilesOutcome,
  }),
  empty: mutation({
    summary: 'Delete all files in the trash for good, but for those of buckets that keep versions',
    route: 'POST /api/storage/trash/empty',
    perMinute: 20,
    // In steps, each of which is certain by itself.
    keepsKeys: true,
    output: Success,
  }),
};
