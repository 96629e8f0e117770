import { z } from 'zod';
import { BucketRules, NewCorsRules, NewLifecycleRules, RulesRevision } from './bucket-rules.ts';
import { BUCKET_VERSIONINGS, MAX_BUCKETS, MAX_STORAGE_KEYS, STORAGE_KEY_ACCESSES } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { line } from './text.ts';

const NAME =
  'Name must be 3 to 63 lower-case letters, digits, dots or hyphens, beginning and ending with a letter or digit.';
const IS_ADDRESS = /^\d{1,3}(\.\d{1,3}){3}$/;
/** Beginnings and ends that S3 keeps to itself. */
const RESERVED = /^(xn--|sthree-|amzn-s3-demo-)|(-s3alias|--ol-s3|--x-s3|--table-s3|\.mrap)$/;

/** A bucket's name, by S3's rules for general purpose buckets. */
export const BucketName = z
  .string(NAME)
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, NAME)
  .refine((name) => !/\.\.|\.-|-\./.test(name) && !IS_ADDRESS.test(name), NAME)
  .refine((name) => !RESERVED.test(name), 'This name is reserved by S3. Choose another one.');

const Versioning = z.enum(BUCKET_VERSIONINGS, `versioning must be one of ${BUCKET_VERSIONINGS.join(', ')}.`);

export const Bucket = z.object({
  id: Id,
  /** Unique on this server but for `uploads`, which each workspace has for the console's files. */
  name: z.string(),
  /** Whether anybody can read its files by their addresses; nobody but its workspace lists them. */
  isPublic: z.boolean(),
  /** `off` until it is turned on once; then it can only be suspended, as S3 has it. */
  versioning: Versioning,
  createdAt: z.iso.datetime(),
});
export type Bucket = z.output<typeof Bucket>;

export const BucketDetail = Bucket.extend({
  files: z.int(),
  /** Bytes of its files, of their former versions and of unfinished uploads. */
  size: z.int(),
  /** Where S3 clients find the server (`--endpoint-url`), and the region that they are told. */
  endpoint: z.url(),
  region: z.string(),
  /** Where anybody reads its files, followed by a file's key; null while it is private. */
  publicUrl: z.url().nullable(),
});
export type BucketDetail = z.output<typeof BucketDetail>;

/** A pair of keys with which S3 clients sign; without the secret half. */
export const StorageKey = z.object({
  /** The access key ID: 20 capital letters and digits. */
  id: z.string(),
  name: z.string(),
  access: z.enum(STORAGE_KEY_ACCESSES),
  /** The one bucket that it opens; null for all of the workspace. */
  bucket: z.object({ id: Id, name: z.string() }).nullable(),
  /** Who made it: it ends when they leave the workspace. */
  madeBy: z.object({ id: Id, name: z.string() }),
  createdAt: z.iso.datetime(),
  /** To the minute; null for one that was never used. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type StorageKey = z.output<typeof StorageKey>;

const CreatedStorageKey = StorageKey.extend({
  /** The secret access key: 40 characters, shown this once. */
  secretAccessKey: z.string(),
});
export type CreatedStorageKey = z.output<typeof CreatedStorageKey>;

const ByKey = z.object({
  keyId: z.string().regex(/^[A-Z0-9]{20}$/, 'Access key IDs are 20 capital letters and digits.'),
});

/** Bytes of as many rules as S3 clients can set at once. */
const RULES_LIMIT = 256 * 1024;
const CHANGED = 'The rules changed since `revision`';

export const buckets = {
  list: query({
    summary: `The workspace's buckets, by name, at most ${MAX_BUCKETS}`,
    route: 'GET /api/buckets',
    forAssistant: true,
    output: z.array(Bucket).max(MAX_BUCKETS),
  }),
  get: query({
    summary: 'A bucket, what is in it, and where S3 clients find it',
    route: 'GET /api/buckets/{id}',
    input: ById,
    output: BucketDetail,
  }),
  create: mutation({
    summary: 'Create a bucket',
    route: 'POST /api/buckets',
    status: 201,
    perMinute: 20,
    input: z.object({
      name: BucketName,
      isPublic: z.boolean().default(false),
      versioning: z.boolean().default(false),
    }),
    output: Bucket,
    refusals: { 409: `The name is taken, or there are ${MAX_BUCKETS} buckets` },
  }),
  update: mutation({
    summary: 'Change who can read a bucket, or whether it keeps former versions',
    route: 'PATCH /api/buckets/{id}',
    perMinute: 60,
    input: ById.extend({ isPublic: z.boolean().optional(), versioning: z.boolean().optional() }),
    output: Bucket,
    refusals: { 409: 'The bucket of the console is private' },
  }),
  remove: mutation({
    summary: 'Delete an empty bucket, and the access keys that open it alone',
    route: 'DELETE /api/buckets/{id}',
    perMinute: 60,
    input: ById,
    output: Success,
    refusals: { 409: 'The bucket is not empty, or is that of the console' },
  }),
  rules: query({
    summary: "A bucket's rules: what goes from it by its age, and which pages of other sites may call it",
    route: 'GET /api/buckets/{id}/rules',
    input: ById,
    output: BucketRules,
  }),
  setLifecycle: mutation({
    summary:
      'Set what of a bucket is deleted at what age, in the place of its former rules; an empty list: nothing',
    route: 'PUT /api/buckets/{id}/lifecycle',
    perMinute: 60,
    bodyLimit: RULES_LIMIT,
    input: ById.extend({ rules: NewLifecycleRules, revision: RulesRevision }),
    output: BucketRules,
    refusals: { 409: CHANGED },
  }),
  setCors: mutation({
    summary:
      'Set which pages of other sites may call a bucket, in the place of its former rules; an empty list: none',
    route: 'PUT /api/buckets/{id}/cors',
    perMinute: 60,
    bodyLimit: RULES_LIMIT,
    input: ById.extend({ rules: NewCorsRules, revision: RulesRevision }),
    output: BucketRules,
    refusals: { 409: `${CHANGED}, or the bucket is that of the console` },
  }),
  keys: query({
    summary: 'Access keys of the workspace, newest first, without their secret halves',
    route: 'GET /api/storage-keys',
    needs: 'secrets',
    output: z.array(StorageKey).max(MAX_STORAGE_KEYS),
  }),
  createKey: mutation({
    summary: 'Create an access key for S3 clients; the response shows its secret half once',
    route: 'POST /api/storage-keys',
    status: 201,
    needs: 'secrets',
    fresh: true,
    perMinute: 20,
    sessionOnly: true,
    secret: true,
    input: z.object({
      name: line(100, 'Name'),
      access: z.enum(STORAGE_KEY_ACCESSES, `Access must be one of ${STORAGE_KEY_ACCESSES.join(', ')}.`),
      /** Absent or null: all buckets of the workspace. */
      bucketId: Id.nullish(),
    }),
    output: CreatedStorageKey,
    refusals: { 409: `There are ${MAX_STORAGE_KEYS} access keys` },
  }),
  removeKey: mutation({
    summary: 'Delete an access key; clients that sign with it are refused from then on',
    route: 'DELETE /api/storage-keys/{keyId}',
    needs: 'secrets',
    perMinute: 60,
    sessionOnly: true,
    input: ByKey,
    output: Success,
  }),
};
