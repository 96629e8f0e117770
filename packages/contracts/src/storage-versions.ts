import { z } from 'zod';
import { versionDownloadPath } from './constants.ts';
import { bytes, mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { ANY_BYTES } from './storage.ts';
import { StoredFile } from './stored-files.ts';

/** Versions of a file that are listed. */
const MAX_VERSIONS = 500;

/** What a file was before. */
export const FileVersion = z.object({
  /** Not that of the file. */
  id: Id,
  /** Bytes. */
  fileSize: z.int(),
  mimeType: z.string(),
  uploadedAt: z.iso.datetime(),
  replacedAt: z.iso.datetime(),
});
export type FileVersion = z.output<typeof FileVersion>;

/** What files of buckets that keep versions were before. */
export const storageVersions = {
  list: query({
    summary: `What a file was before, the newest first, at most ${MAX_VERSIONS}`,
    route: 'GET /api/storage/{id}/versions',
    input: ById,
    output: z.array(FileVersion).max(MAX_VERSIONS),
  }),
  download: bytes({
    summary: 'Download a former version of a file, whole or a range',
    route: `GET ${versionDownloadPath('{id}')}`,
    input: ById,
    gives: ANY_BYTES,
  }),
  restore: mutation({
    summary: 'Make a former version the file again; what the file is now becomes a former version',
    route: 'POST /api/storage/versions/{id}/restore',
    perMinute: 60,
    input: ById,
    output: StoredFile,
  }),
  remove: mutation({
    summary: 'Delete a former version of a file for good',
    route: 'DELETE /api/storage/versions/{id}',
    perMinute: 120,
    input: ById,
    output: Success,
  }),
};
