import { z } from 'zod';
import { MAX_OBJECT_BYTES, MAX_PARTS, uploadPartPath } from './constants.ts';
import { mutation, query, upload } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { IfExists, NewUpload, StoredFile } from './stored-files.ts';

const Size = z
  .int('Size must be a whole number of bytes.')
  .min(0, 'Size cannot be negative.')
  .max(MAX_OBJECT_BYTES, 'A file can have up to 5 TiB.');

const PartNumber = z
  .int('Part numbers are whole numbers.')
  .min(1, `Part numbers are 1 to ${MAX_PARTS}.`)
  .max(MAX_PARTS, `Part numbers are 1 to ${MAX_PARTS}.`);

const UploadedPart = z.object({
  partNumber: z.int(),
  /** Bytes. */
  size: z.int(),
  /** The MD5 of its bytes, in hex. */
  etag: z.string(),
});

/** A file that is on its way. */
export const StoredFileUpload = z.object({
  id: Id,
  bucketId: Id,
  fileName: z.string(),
  filePath: z.string(),
  /** Bytes that have arrived. */
  size: z.int(),
  createdAt: z.iso.datetime(),
  /** When the last part came: seven days later it is given up. */
  touchedAt: z.iso.datetime(),
});
export type StoredFileUpload = z.output<typeof StoredFileUpload>;

/** Calls of each kind: a folder of small files takes three for each. */
const PER_MINUTE = 1200;

const EXISTS = 'A file with this path and name exists, and `ifExists` is `refuse`';
const GONE = 'There is no such upload: it was finished, given up, or waited for seven days';

/** Files of any size, which arrive in parts: each can be sent again, in any order and at the same time as others. */
export const storageUploads = {
  list: query({
    summary: 'Files that are on their way, newest first, at most 100',
    route: 'GET /api/storage/uploads',
    output: z.array(StoredFileUpload).max(100),
  }),
  get: query({
    summary: 'What has arrived of a file, to go on from',
    route: 'GET /api/storage/uploads/{id}',
    input: ById,
    output: StoredFileUpload.extend({ parts: z.array(UploadedPart).max(MAX_PARTS) }),
    refusals: { 404: GONE },
  }),
  begin: mutation({
    summary: 'Begin a file of any size that your plan has room for; the response says how long its parts are',
    route: 'POST /api/storage/uploads',
    status: 201,
    perMinute: PER_MINUTE,
    // Nobody sees it before it is finished, and that is recorded.
    changesNothing: true,
    input: NewUpload.extend({
      size: Size.describe('Bytes of the whole file'),
      mimeType: z.string().max(255).default(''),
      bucketId: Id.optional().describe('Where it goes; absent, to the bucket of the console'),
    }),
    output: z.object({
      id: Id,
      /** Bytes of each part but the last. */
      partSize: z.int(),
    }),
    refusals: { 403: 'Not allowed, or no room for it', 409: EXISTS },
  }),
  putPart: upload({
    summary: 'Send a part of a file as the request body; sent again, it takes the place of the former one',
    route: `PUT ${uploadPartPath('{id}', '{partNumber}')}`,
    perMinute: PER_MINUTE,
    changesNothing: true,
    input: ById.extend({ partNumber: PartNumber }),
    takes: { type: '*/*', example: '' },
    output: UploadedPart,
    refusals: {
      403: 'Not allowed, or no room for it',
      404: GONE,
      413: 'The part is larger than 5 GiB',
      415: 'A form (`multipart/form-data`)',
    },
  }),
  complete: mutation({
    summary: 'Finish a file whose parts have all arrived; finished again, it answers the same',
    route: 'POST /api/storage/uploads/{id}/complete',
    status: 201,
    perMinute: PER_MINUTE,
    input: ById.extend({ size: Size, ifExists: IfExists.default('keep') }),
    output: StoredFile,
    refusals: {
      400: 'A part is missing, or one before the last has less than 5 MiB',
      403: 'Not allowed, or no room for it',
      404: GONE,
      409: `${EXISTS}, or fewer or more bytes have arrived than \`size\` says`,
    },
  }),
  abort: mutation({
    summary: 'Give up a file that is on its way, with what has arrived',
    route: 'DELETE /api/storage/uploads/{id}',
    perMinute: PER_MINUTE,
    changesNothing: true,
    input: ById,
    output: Success,
    refusals: { 404: GONE },
  }),
};
