import { z } from 'zod';

const Name = z.string().regex(/^[0-9a-f]{64}$/);

/** Where bytes are: a chunk, and which of its bytes. */
const Place = z.tuple([Name, z.int().min(0), z.int().min(0)]);
export type Place = z.output<typeof Place>;

const mode = z.int().min(0).max(0o7777);
const owner = { uid: z.int(), gid: z.int() };
/** Below the folder of its part, with slashes; '' is that folder itself. */
const path = z.string();

/** One thing of a part. */
export const Entry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('file'),
    ...{ path, mode, ...owner },
    /** Milliseconds, and what tells whether it was changed since. */
    mtime: z.number(),
    ctime: z.number(),
    inode: z.number(),
    size: z.int(),
    at: z.array(Place),
  }),
  z.strictObject({ kind: z.literal('folder'), ...{ path, mode, ...owner } }),
  z.strictObject({ kind: z.literal('link'), path, ...owner, to: z.string() }),
  /** Another name of the file at the path `to`. */
  z.strictObject({ kind: z.literal('name'), path, to: z.string() }),
  z.strictObject({ kind: z.literal('object'), path, size: z.int(), at: z.array(Place) }),
  z.strictObject({
    kind: z.literal('table'),
    /** With its schema. */
    path,
    columns: z.array(z.string()),
    rows: z.int(),
    at: z.array(Place),
  }),
]);
export type Entry = z.output<typeof Entry>;

/** A part of an installation: the database, the objects, a folder. */
const Part = z.strictObject({
  name: z.string(),
  /** Chunks that hold its entries, a line of JSON each. */
  index: z.array(Name),
  entries: z.int(),
  bytes: z.int(),
});
export type Part = z.output<typeof Part>;

const Sequence = z.strictObject({ name: z.string(), value: z.string(), called: z.boolean() });

/** One backup. It is written last, so a backup exists once its manifest does. */
export const Manifest = z.strictObject({
  version: z.literal(1),
  /** The moment whose state of the database it has. */
  takenAt: z.iso.datetime(),
  /** The version of this program. */
  program: z.string(),
  /** Whether it was made as root: owners of files mean something then. */
  asRoot: z.boolean(),
  dataDir: z.string(),
  /** 64 hexadecimal digits. */
  secretsKey: z.string(),
  database: z.strictObject({
    lastMigration: z.string(),
    sequences: z.array(Sequence),
    /** Of the job queue's tables; null: it had none. */
    queueVersion: z.int().nullable(),
  }),
  parts: z.array(Part),
  /** What could not be taken, and why: sentences. */
  missing: z.array(z.string()),
  /** Bytes of all that it has, and bytes that the repository grew by. */
  bytes: z.int(),
  added: z.int(),
});
export type Manifest = z.output<typeof Manifest>;
