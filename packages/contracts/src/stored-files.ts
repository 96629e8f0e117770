import { z } from 'zod';
import { DEFAULT_FILE_PATH } from './constants.ts';
import { Id } from './page.ts';
import { line } from './text.ts';

const MAX_NAME_BYTES = 255;
const MAX_FILE_PATH = 1024;

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The last part of a path: 1 to 255 bytes of UTF-8, no slashes, not `.` or `..`. */
export const FileName = line(MAX_NAME_BYTES, 'File name')
  .refine((name) => utf8Length(name) <= MAX_NAME_BYTES, 'File name cannot be longer than 255 bytes.')
  .refine((name) => !/[/\\]/.test(name), 'File name cannot contain / or \\.')
  .refine((name) => name !== '.' && name !== '..', 'File name cannot be "." or "..".');

/** The folder that a file is shown in: begins and ends with a slash, no `..` and no empty part. */
export const FilePath = line(MAX_FILE_PATH, 'Path')
  .refine(
    (path) => path.startsWith('/') && path.endsWith('/'),
    'Path must start and end with /, like /uploads/.',
  )
  .refine((path) => !path.includes('..') && !path.includes('//'), 'Path cannot contain .. or //.');

/** What happens where a file of that path and name is there already. Names are not unique: `keep` has both. */
export const IfExists = z.enum(
  ['keep', 'rename', 'replace', 'refuse'],
  'ifExists must be one of keep, rename, replace, refuse.',
);
export type IfExists = z.output<typeof IfExists>;

export const StoredFile = z.object({
  id: Id,
  fileName: z.string(),
  filePath: z.string(),
  /** Bytes. */
  fileSize: z.int(),
  /** Lower case, without parameters, for example `image/png`. */
  mimeType: z.string(),
  isPublic: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When its bytes were stored: later than `createdAt` where they were replaced. */
  uploadedAt: z.iso.datetime(),
  /** Where anyone can download a public file; null for a private one. */
  publicUrl: z.url().nullable(),
});
export type StoredFile = z.output<typeof StoredFile>;

export const ListedFile = StoredFile.extend({
  /** The bytes as a data URL, unless `fileData=false`; null when the store has lost them. */
  fileData: z.string().nullable().optional(),
});

export const NewStoredFile = z.object({
  fileName: FileName,
  filePath: FilePath.default(DEFAULT_FILE_PATH),
  /** Bytes after decoding, at most 10 MiB. */
  fileSize: z.int().min(0),
  /** Empty, or the type that `fileData` names. */
  mimeType: z.string().max(255).default(''),
  /** `data:<type>;base64,<bytes>`: padded, canonical base64 without white space. */
  fileData: z.string(),
  isPublic: z.boolean().default(false),
  ifExists: IfExists.default('keep').describe(
    'Where the path has a file of that name: `keep` both, `rename` this one to "name (2)", `replace` the bytes of ' +
      'the newest (its id, URL and visibility stay), or `refuse` with 409 and its id as `existingId`',
  ),
});

/** What the raw upload's address says. */
export const NewUpload = NewStoredFile.pick({
  fileName: true,
  filePath: true,
  isPublic: true,
  ifExists: true,
});
export type NewUpload = z.input<typeof NewUpload>;

export const StoredFileChange = z.object({
  id: Id,
  fileName: FileName.optional(),
  filePath: FilePath.optional(),
  isPublic: z.boolean().optional(),
  ifExists: IfExists.default('keep').describe(
    'Where the new path has a file of that name: `keep` both, `rename` this one to "name (2)", `replace` (delete) ' +
      'the newest, or `refuse` with 409 and its id as `existingId`',
  ),
});
