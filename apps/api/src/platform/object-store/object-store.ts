import type { Readable } from 'node:stream';

/** What is stored under a key. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  /** When it was stored. */
  storedAt: Date;
}

/** What a `put` has stored. */
export interface PutResult {
  /** Bytes. */
  size: number;
  /** SHA-256 of the bytes, lower-case hex. */
  sha256: string;
}

/** What a `receive` has been given. */
export interface Received extends PutResult {
  /**
   * Resolves once the object is there and outlives a power cut: nothing may refer to it before. Rejects as `put` does.
   * Nobody has to wait for it.
   */
  kept: Promise<void>;
}

/** Bytes `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ReadOptions {
  /**
   * Has each piece go through this process, though the kernel could send a file without it. A client of this machine that
   * hashes and unpacks what arrives is as fast as its own processor, whose cache then holds what was just copied.
   */
  throughProcess?: boolean;
}

/** Pieces of a stream. Each is the source's again once the next one is asked for: take a copy of what is kept. */
export type Bytes = AsyncIterable<Uint8Array>;

/**
 * Durable objects of any size under keys that we make ourselves, never a person's text: lower-case parts joined by
 * slashes, like `files/3f…` or `blobs/sha256/ab…`. An object is there whole or not at all, and is never changed.
 *
 * All writing rejects with 503 STORAGE_FULL when the disk is full and with the source's own error when that fails;
 * either leaves nothing behind (an upload's failed source excepted, see `Uploads.append`).
 */
export interface ObjectStore {
  /** Stores what `source` yields; once it resolves, the object outlives a power cut. Replaces an object of that key. */
  put(key: string, source: Bytes): Promise<PutResult>;
  /** The same, but resolves once all of it has arrived: what else there is to do need not wait for the disk. */
  receive(key: string, source: Bytes): Promise<Received>;
  /**
   * Opens an object, whole or in part; undefined when there is none. What was opened can be read to its end even when
   * the object is deleted meanwhile. The caller reads the stream or destroys it.
   */
  get(key: string, range?: ByteRange, options?: ReadOptions): Promise<Readable | undefined>;
  stat(key: string): Promise<StoredObject | undefined>;
  /**
   * Stores the same bytes under another key too, whatever becomes of the first, without sending them through this
   * process; replaces an object of that key. False when there is nothing to copy. Both count as stored now.
   */
  copy(key: string, to: string): Promise<boolean>;
  /** Deletes an object; one that is not there is fine. */
  delete(key: string): Promise<void>;
  /** Every object whose key begins with `prefix`, which ends with a slash or is empty; in no order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Objects that arrive in parts. */
  readonly uploads: Uploads;
  /** Forgets uploads that nobody has touched for a day; call it hourly. */
  sweep(): Promise<void>;
}

export type DigestAlgorithm = 'sha256' | 'sha512';

export interface ExpectedDigest {
  algorithm: DigestAlgorithm;
  /** Lower-case hex. */
  hex: string;
}

/** Uploads in parts, which outlive the process. Ids are UUIDs; an unknown or malformed one is simply not there. */
export interface Uploads {
  /** Begins an upload; name the algorithm that `finish` will check, and it is computed while the parts arrive. */
  begin(algorithm?: DigestAlgorithm): Promise<string>;
  /**
   * Adds what `source` yields at `offset`, which must be the upload's size, and resolves to its new size, on disk.
   * When `source` fails, what had arrived stays and can be resumed at `size`; on a full disk the upload is gone.
   * Rejects with `NoSuchUpload` or `UploadConflict`, with that also once it is finished.
   */
  append(id: string, source: Bytes, offset: number): Promise<number>;
  /** Bytes that have arrived; undefined when there is no such upload. */
  size(id: string): Promise<number | undefined>;
  /** Whether `finish` has closed it: no more can be added. */
  isFinished(id: string): Promise<boolean>;
  /**
   * Makes the upload the object `key` too, if its bytes have the digest, and resolves to its size. The upload stays,
   * closed, until `abort` forgets it, so that its owner can finish it again where what comes after this has failed.
   * Rejects with `NoSuchUpload`, `UploadConflict`, or with `WrongDigest`, after which the upload is gone.
   */
  finish(id: string, key: string, expected: ExpectedDigest): Promise<number>;
  /** Forgets an upload; false when there is none. One that is just being written rejects with `UploadConflict`. */
  abort(id: string): Promise<boolean>;
}

/** There is no upload with this id. */
export class NoSuchUpload extends Error {
  override readonly name = 'NoSuchUpload';
}

/** The part does not begin where the upload ends, or another call is just writing to it. */
export class UploadConflict extends Error {
  override readonly name = 'UploadConflict';
  /** Bytes that have arrived. */
  readonly size: number;

  constructor(size: number) {
    super('The part does not continue this upload.');
    this.size = size;
  }
}

/** The bytes are not what their digest says. */
export class WrongDigest extends Error {
  override readonly name = 'WrongDigest';
}

const KEY = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)+$/;
const MAX_KEY = 250;

/** Throws on a key that no code of ours should have made; it is what keeps other people's text out of paths. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY || !KEY.test(key)) throw new TypeError(`not an object key: ${key}`);
}

/** The same for what keys begin with, see `ObjectStore.list`. */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(`${prefix}x`);
}
