import { z } from 'zod';
import {
  ARCHIVE_PATH,
  downloadPath,
  FILE_SORTS,
  MAX_ARCHIVED,
  MAX_FILES_AT_ONCE,
  MAX_FOLDERS,
  MAX_MOVED,
  MAX_SHARE_SECONDS,
  UPLOAD_PATH,
} from './constants.ts';
import { bytes, mutation, query, upload } from './kit.ts';
import { ManyFiles, ManyFilesOutcome } from './many-files.ts';
import { ById, Id, listPage, Success } from './page.ts';
import {
  FilePath,
  IfExists,
  ListedFile,
  NewStoredFile,
  NewUpload,
  StoredFile,
  StoredFileChange,
} from './stored-files.ts';

/** A file of 10 MiB as a data URL in JSON is 13,981,068 bytes and its other members. */
const CREATE_BODY_LIMIT = 14 * 1024 * 1024;

export const FilePage = listPage(FILE_SORTS).extend({
  bucketId: Id.optional().describe("A bucket of the workspace; by default that of the console's files"),
  folder: FilePath.optional().describe(
    'Only what lies directly in this folder; a search looks below it, too',
  ),
});

const FilePageWithData = FilePage.extend({
  fileData: z.boolean().default(true).describe('Whether the bytes come with the list'),
});

const ArchivedFiles = ManyFiles.partial()
  .extend({
    bucketId: Id.optional().describe("The folder's bucket; by default that of the console's files"),
    folder: FilePath.optional(),
  })
  .refine(
    ({ ids, folder, bucketId }) =>
      ids === undefined ? folder !== undefined : folder === undefined && bucketId === undefined,
    'Choose files, or a folder.',
  );

export const ANY_BYTES = { type: '*/*', what: 'The bytes, with `ETag`', ranges: true };
/** `1` has a browser show what it shows safely. Anything else means that it saves the file. */
const inline = z.enum(['1']).optional().catch(undefined);

const NO_LINK = 'This link is not valid.';
const SHARE_BOUNDS = 'A link is good for 60 seconds to 30 days.';

const SharedLink = z.object({
  /** With its signature; whoever has it can download the file. */
  link: z.url(),
  until: z.iso.datetime(),
});

/** Not the root, which is no folder of anybody's making. */
const Folder = FilePath.refine((path) => path !== '/', 'Choose a folder below /.');

const EXISTS = 'A file with this path and name exists, and `ifExists` is `refuse`';

export const storage = {
  list: query({
    summary: 'Your files, newest first; searched by path, name and type',
    forAssistant: true,
    input: FilePage.optional(),
    output: z.array(StoredFile),
  }),
  listWithData: bytes({
    summary: 'Your files, newest first, with their bytes; searched by path, name and type',
    route: 'GET /api/storage',
    input: FilePageWithData,
    gives: { type: 'application/json', what: 'The files', shape: z.array(ListedFile) },
  }),
  folders: query({
    summary: `The folders of your files, in order; at most ${MAX_FOLDERS}`,
    route: 'GET /api/storage/folders',
    input: z.object({ bucketId: Id.optional() }).optional(),
    output: z.array(z.string()).max(MAX_FOLDERS),
  }),
  subfolders: query({
    summary: `Folders directly in a folder, in order, after the folder \`after\`; at most ${MAX_FOLDERS}`,
    route: 'GET /api/storage/subfolders',
    input: z.object({
      bucketId: Id.optional(),
      folder: FilePath.default('/'),
      after: FilePath.optional(),
    }),
    output: z.array(z.string()).max(MAX_FOLDERS),
  }),
  moveFolder: mutation({
    summary: `Rename or move a folder with all that is in it, at most ${MAX_MOVED} files`,
    route: 'POST /api/storage/folders/move',
    perMinute: 30,
    input: z.object({ bucketId: Id.optional(), folder: Folder, to: Folder }),
    output: Success,
    refusals: { 409: 'Something is there already, or there are too many files' },
  }),
  removeFolder: mutation({
    summary: 'Delete a folder with all that is in it: to the trash, or to the former versions of its bucket',
    route: 'POST /api/storage/folders/remove',
    perMinute: 30,
    // In steps, each of which is certain by itself.
    keepsKeys: true,
    input: z.object({ bucketId: Id.optional(), folder: Folder }),
    output: Success,
  }),
  create: mutation({
    summary: 'Store a file sent as a data URL',
    route: 'POST /api/storage',
    status: 201,
    perMinute: 30,
    bodyLimit: CREATE_BODY_LIMIT,
    input: NewStoredFile,
    output: StoredFile,
    refusals: { 409: EXISTS },
  }),
  upload: upload({
    summary: 'Upload a file as the request body, at most 10 MiB; its type is the Content-Type',
    route: `POST ${UPLOAD_PATH}`,
    status: 201,
    perMinute: 30,
    input: NewUpload,
    takes: { type: '*/*', example: '?fileName=notes.txt' },
    output: StoredFile,
    refusals: {
      403: 'Not allowed, or no room for it',
      409: EXISTS,
      413: 'The file is larger than 10 MiB',
      415: 'A form (`multipart/form-data`)',
    },
  }),
  download: bytes({
    summary: 'Download a file, whole or a range; a public one without signing in',
    route: `GET ${downloadPath('{id}')}`,
    access: 'public',
    input: ById.extend({ inline }),
    gives: ANY_BYTES,
    refusals: { 401: 'Not public, and no live session' },
  }),
  archive: bytes({
    summary: `Download up to ${MAX_FILES_AT_ONCE} files, or a folder with up to ${MAX_ARCHIVED} below it, as one zip`,
    route: `GET ${ARCHIVE_PATH}`,
    perMinute: 30,
    input: ArchivedFiles,
    gives: { type: 'application/zip', what: 'The archive, without compression' },
    refusals: { 409: 'There are too many files' },
  }),
  publicFile: bytes({
    summary: 'Download a public file, whole or a range; the name in the address can be anything',
    route: 'GET /files/{id}/{fileName}',
    access: 'public',
    anonymous: true,
    countedWith: 'storage.download',
    input: ById.extend({ fileName: z.string(), inline }),
    gives: ANY_BYTES,
  }),
  sharedFile: bytes({
    summary: 'Download a file by a link that its owner shared, whole or a range',
    route: 'GET /files/shared/{id}/{fileName}',
    access: 'public',
    anonymous: true,
    countedWith: 'storage.download',
    input: ById.extend({
      fileName: z.string(),
      inline,
      until: z
        .string()
        .regex(/^\d{10}$/, NO_LINK)
        .describe('Seconds since 1970 at which the link ends'),
      signature: z.string().regex(/^[A-Za-z0-9_-]{43}$/, NO_LINK),
    }),
    gives: ANY_BYTES,
  }),
  share: mutation({
    summary: 'Make a link with which anyone can download a file until it ends',
    route: 'POST /api/storage/{id}/share',
    perMinute: 60,
    secret: true,
    input: ById.extend({
      seconds: z
        .int(SHARE_BOUNDS)
        .min(60, SHARE_BOUNDS)
        .max(MAX_SHARE_SECONDS, SHARE_BOUNDS)
        .describe('For how long it is good'),
    }),
    output: SharedLink,
  }),
  unshare: mutation({
    summary: 'End all links that a file was shared by',
    route: 'DELETE /api/storage/{id}/share',
    perMinute: 60,
    input: ById,
    output: Success,
  }),
  update: mutation({
    summary: 'Rename or move a file, or change who can download it',
    route: 'PATCH /api/storage/{id}',
    perMinute: 60,
    input: StoredFileChange,
    output: StoredFile,
    refusals: { 409: EXISTS },
  }),
  moveMany: mutation({
    summary: 'Move files to another folder, and say of each what came of it',
    route: 'POST /api/storage/move',
    perMinute: 60,
    input: ManyFiles.extend({ filePath: FilePath, ifExists: IfExists.default('keep') }),
    output: ManyFilesOutcome,
  }),
  removeMany: mutation({
    summary: 'Delete files, and say of each what came of it',
    route: 'POST /api/storage/remove',
    perMinute: 60,
    input: ManyFiles,
    output: ManyFilesOutcome,
  }),
  remove: mutation({
    summary: 'Delete a file',
    route: 'DELETE /api/storage/{id}',
    perMinute: 60,
    input: ById,
    output: Success,
  }),
};
