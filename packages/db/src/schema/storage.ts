import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** JSON with a default; written as text. */
type GeneratedJson<T> = ColumnType<T, string | undefined, string>;

/** Of an object that came in parts: objects of the store, named `<objectKey>/<name>`, in their order. */
export type Pieces = { name: string /** Bytes. */; size: number }[];

/** What a client said the bytes' checksum is, and we found so: an algorithm of S3's, in base64. */
export interface StoredChecksum {
  algorithm: 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';
  value: string;
  type: 'FULL_OBJECT' | 'COMPOSITE';
}

/** By name: the headers that a client gave with an object, `x-amz-meta-…`, and those that are sent as they came. */
type Headers = Record<string, string>;

/** How bytes are stored, and what S3 clients say of them. */
interface StoredContent {
  /** Bytes. */
  fileSize: number;
  mimeType: string;
  /** Lower case; of a text whose sender named one. */
  charset: string | null;
  /** Digest of the bytes, in hex; null where they came in parts. */
  sha256: string | null;
  /** Null where the bytes are one object of the store, `objectKey`. */
  pieces: JSONColumnType<Pieces | null, string | null, string | null>;
  /** As S3 has it, without quotes: the bytes' MD5 in hex, or anything that ends with a dash and a number. */
  etag: Generated<string>;
  checksum: JSONColumnType<StoredChecksum | null, string | null, string | null>;
  metadata: GeneratedJson<Headers>;
  tags: GeneratedJson<Record<string, string>>;
}

/** Which pages of other sites may call a bucket, as S3 has it. Of a pattern, one `*` stands for anything. */
export interface CorsRule {
  id?: string | undefined;
  /** Patterns. */
  origins: string[];
  methods: ('GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE')[];
  /** Patterns of the names of headers that a page may send. */
  headers: string[];
  /** Names of headers that a page may read. */
  exposed: string[];
  /** Seconds for which a browser remembers this. */
  maxAge?: number | undefined;
}

/** What of a bucket goes at what age, as S3 has it. */
export interface LifecycleRule {
  id: string;
  isEnabled: boolean;
  /** Beginning of the keys that it is for. */
  prefix: string;
  /** Whether the prefix was given without a filter, as S3 had it first. */
  isPlain: boolean;
  /** All of which an object has to have. */
  tags: Record<string, string>;
  /** Bytes that an object has more than, or less than. */
  above?: number | undefined;
  below?: number | undefined;
  /** When objects go: after days, from an instant on; or markers, once they alone are left. */
  expiry?: { days: number } | { date: string } | { markers: boolean } | undefined;
  /** Days after which former versions go, but for the newest `kept`. */
  former?: { days: number; kept?: number | undefined } | undefined;
  /** Days after which an upload that is not finished is given up. */
  abortDays?: number | undefined;
}

export interface BucketsTable {
  id: Generated<string>;
  ownerId: string;
  /** Unique in the installation but for `uploads`, which every workspace has for the console's files. */
  name: string;
  /** Whether anybody may read what is in it. */
  isPublic: Generated<boolean>;
  versioning: Generated<'off' | 'enabled' | 'suspended'>;
  cors: JSONColumnType<CorsRule[] | null, string | null, string | null>;
  lifecycle: JSONColumnType<LifecycleRule[] | null, string | null, string | null>;
  /** Set where its files are served as a web site: its index document's name, and the key of what is sent for 404. */
  site: JSONColumnType<{ index: string; notFound: string | null } | null, string | null, string | null>;
  createdAt: GeneratedInstant;
}

export interface StoredFilesTable extends StoredContent {
  id: Generated<string>;
  ownerId: string;
  bucketId: Generated<string>;
  /**
   * Its name in the bucket, at most 1,024 bytes: the path without its first slash, and the name; numbered where several
   * are in one place. A trigger makes it where none is given; null where it would be longer.
   */
  key: Generated<string | null>;
  /** Null: the version that S3 calls `null`, of a bucket that keeps none. */
  versionId: Generated<string | null>;
  fileName: string;
  filePath: string;
  isPublic: boolean;
  /** Where the object store has the bytes; made at random. */
  objectKey: string;
  createdAt: GeneratedInstant;
  /** When the bytes were stored. */
  uploadedAt: GeneratedInstant;
  /** Counts how often its shared links were ended; each is signed with the number of its time. */
  shareNonce: Generated<number>;
}

/** What a key named before, that it was deleted, or what lies in the trash. */
export interface FileVersionsTable extends StoredContent {
  id: Generated<string>;
  versionId: string | null;
  /** The id of the file, by which it comes back. */
  fileId: string;
  ownerId: string;
  bucketId: string;
  key: string | null;
  isDeleteMarker: Generated<boolean>;
  fileName: string;
  filePath: string;
  isPublic: boolean;
  /** Null for a delete marker. */
  objectKey: string | null;
  createdAt: string;
  uploadedAt: string;
  /** Since when it is not the current one. */
  replacedAt: GeneratedInstant;
  /** Since when it lies in the trash of the console; null where it does not. */
  trashedAt: string | null;
}

/** An object that arrives in parts. */
export interface MultipartUploadsTable {
  id: Generated<string>;
  ownerId: string;
  bucketId: string;
  key: string;
  objectKey: string;
  mimeType: string;
  charset: string | null;
  isPublic: Generated<boolean>;
  checksum: JSONColumnType<Pick<StoredChecksum, 'algorithm' | 'type'> | null, string | null, string | null>;
  metadata: GeneratedJson<Headers>;
  tags: GeneratedJson<Record<string, string>>;
  createdAt: GeneratedInstant;
  /** When the last part came. */
  touchedAt: GeneratedInstant;
}

export interface MultipartPartsTable {
  uploadId: string;
  /** 1 to 10,000. */
  partNumber: number;
  ownerId: string;
  /** Its object of the store is `<objectKey>/<name>`. */
  name: string;
  /** Bytes. */
  fileSize: number;
  /** MD5 of its bytes, in hex. */
  etag: string;
  checksum: JSONColumnType<Pick<StoredChecksum, 'algorithm' | 'value'> | null, string | null, string | null>;
  createdAt: GeneratedInstant;
}

/** Keys with which S3 clients sign. */
export interface StorageKeysTable {
  /** The access key id: 20 capital letters and digits. */
  id: string;
  ownerId: string;
  /** Who made it: it ends with this membership. */
  userId: string;
  /** The one bucket that it opens; null for all. */
  bucketId: string | null;
  name: string;
  access: 'read' | 'write';
  /** The secret access key, sealed for `storage-key:<id>`: a signature is checked with the key itself. */
  sealedKey: Buffer;
  createdAt: GeneratedInstant;
  /** To the minute. */
  lastUsedAt: string | null;
}
