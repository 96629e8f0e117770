import { createHmac, createSecretKey } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Bytes } from '../../platform/object-store/object-store.ts';
import { openBytes, sealBytes } from '../../platform/sealed-stream.ts';
import type { BackupStore } from './backup-store.ts';
import { deriveKey } from './repository-key.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes of a chunk at most. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
/** A chunk of what files have where nothing was ever written to them. */
export const ZEROS: Uint8Array = Buffer.alloc(CHUNK_BYTES);

/** Bytes by which what cannot be squeezed may grow, and what zlib takes for room at least. */
const SLACK = 64 * 1024;

const PREFIX = 'chunks/';
/** Names of those that were found damaged, and are put once more. */
const DAMAGED = 'damaged/';

/** Something that was kept is not what it was. Its message is for people. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** A chunk is. */
export class DamagedChunk extends Damaged {
  readonly chunk: string;

  constructor(chunk: string, how: 'missing' | 'damaged') {
    super(`A piece of the backup is ${how}: ${PREFIX}${chunk}.`);
    this.chunk = chunk;
  }
}

/** What is kept, in pieces: each once, however often and from wherever it comes. */
export interface Chunks {
  /** Keeps a chunk; its name, and the bytes that were added to the store for it, 0 where it was there. */
  put(bytes: Uint8Array): Promise<{ name: string; added: number }>;
  /** The bytes of a chunk. Throws `Damaged` where they are gone or not those that were put. */
  get(name: string): Promise<Buffer>;
  /** Looks for what is there, and was not found damaged; call it once before `put`. */
  survey(): Promise<void>;
  /** Has the next backup put a chunk anew, which mends all backups that need it. */
  condemn(name: string): Promise<void>;
  /** Whether it was there at the survey, or was put since. */
  has(name: string): boolean;
  /** Deletes what `isNeeded` denies; the bytes that were freed. Only while nobody puts anything. */
  sweep(isNeeded: (name: string) => boolean): Promise<number>;
}

/**
 * Chunks in a store. Each is squeezed, sealed under its own name, and named by a keyed hash of its bytes: so what is
 * there already is known, and nobody without the key learns whether something he has is in there.
 */
export function createChunks(store: BackupStore, key: Uint8Array): Chunks {
  const naming = createSecretKey(deriveKey(key, 'chunk-names'));
  const sealing = deriveKey(key, 'chunks');
  const there = new Set<string>();
  const condemned = new Set<string>();
  const hashOf = (bytes: Uint8Array) => createHmac('sha256', naming).update(bytes).digest('hex');
  let zeros: string | undefined;
  const nameOf = (bytes: Uint8Array) => {
    if (bytes !== ZEROS) return hashOf(bytes);
    zeros ??= hashOf(ZEROS);
    return zeros;
  };
  const keyOf = (name: string) => `${PREFIX}${name}`;
  return {
    async survey() {
      for await (const { key: found } of store.list(PREFIX)) there.add(found.slice(PREFIX.length));
      for await (const { key: found } of store.list(DAMAGED)) {
        const name = found.slice(DAMAGED.length);
        there.delete(name);
        condemned.add(name);
      }
    },
    async condemn(name) {
      await store.put(`${DAMAGED}${name}`, Buffer.alloc(0));
    },
    has: (name) => there.has(name),
    async put(bytes) {
      const name = nameOf(bytes);
      if (there.has(name)) return { name, added: 0 };
      // Of two alike that are put at once, the second need not wait: nothing counts before the manifest is there.
      there.add(name);
      // With room for all of it, it is squeezed in one go.
      const squeezed = await compress(bytes, { chunkSize: bytes.length + SLACK });
      const context = keyOf(name);
      const sealed = sealBytes(squeezed, { key: sealing, context });
      await store.put(context, sealed);
      if (condemned.delete(name)) await store.delete(`${DAMAGED}${name}`);
      return { name, added: sealed.length };
    },
    async get(name) {
      const context = keyOf(name);
      const stored = await store.get(context);
      if (!stored) throw new DamagedChunk(name, 'missing');
      // A store that goes away meanwhile says nothing of what it has.
      const sealed = await collect(stored);
      try {
        const squeezed = openBytes(sealed, { key: sealing, context });
        const bytes = await decompress(squeezed, { maxOutputLength: CHUNK_BYTES, chunkSize: CHUNK_BYTES });
        if (nameOf(bytes) !== name) throw new Error('its name is not that of its bytes');
        return bytes;
      } catch {
        throw new DamagedChunk(name, 'damaged');
      }
    },
    async sweep(isNeeded) {
      let freed = 0;
      for await (const { key: found, size } of store.list(PREFIX)) {
        const name = found.slice(PREFIX.length);
        if (isNeeded(name)) continue;
        await store.delete(found);
        there.delete(name);
        freed += size;
        if (condemned.delete(name)) await store.delete(`${DAMAGED}${name}`);
      }
      return freed;
    },
  };
}

/** Bytes as a stream of one piece. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** All that a stream yields. */
export async function collect(source: Bytes): Promise<Buffer> {
  const pieces: Buffer[] = [];
  // The source may use its buffer again.
  for await (const piece of source) pieces.push(Buffer.from(piece));
  const [first = Buffer.alloc(0), ...rest] = pieces;
  return rest.length === 0 ? first : Buffer.concat(pieces);
}
