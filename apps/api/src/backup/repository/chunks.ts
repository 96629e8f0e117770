import { createHmac, createSecretKey } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { openStream, sealStream } from '../../platform/sealed-stream.ts';
import type { BackupStore } from './backup-store.ts';
import { deriveKey } from './repository-key.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes of a chunk at most. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

const PREFIX = 'chunks/';

/** Something that was kept is not what it was. Its message is for people. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** What is kept, in pieces: each once, however often and from wherever it comes. */
export interface Chunks {
  /** Keeps a chunk; its name, and the bytes that were added to the store for it, 0 where it was there. */
  put(bytes: Uint8Array): Promise<{ name: string; added: number }>;
  /** The bytes of a chunk. Throws `Damaged` where they are gone or not those that were put. */
  get(name: string): Promise<Buffer>;
  /** Looks for what is there; call it once before `put`. */
  survey(): Promise<void>;
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
  const nameOf = (bytes: Uint8Array) => createHmac('sha256', naming).update(bytes).digest('hex');
  const keyOf = (name: string) => `${PREFIX}${name}`;
  return {
    async survey() {
      for await (const { key: found } of store.list(PREFIX)) there.add(found.slice(PREFIX.length));
    },
    has: (name) => there.has(name),
    async put(bytes) {
      const name = nameOf(bytes);
      if (there.has(name)) return { name, added: 0 };
      // Of two alike that are put at once, the second need not wait: nothing counts before the manifest is there.
      there.add(name);
      const squeezed = await compress(bytes);
      const context = keyOf(name);
      const { size } = await store.put(context, sealStream(once(squeezed), { key: sealing, context }));
      return { name, added: size };
    },
    async get(name) {
      const context = keyOf(name);
      const stored = await store.get(context);
      if (!stored) throw new Damaged(`A piece of the backup is missing: ${context}.`);
      try {
        const pieces: Uint8Array[] = [];
        for await (const piece of openStream(stored, { key: sealing, context })) pieces.push(piece);
        const bytes = await decompress(Buffer.concat(pieces), { maxOutputLength: CHUNK_BYTES });
        if (nameOf(bytes) !== name) throw new Error('its name is not that of its bytes');
        return bytes;
      } catch {
        throw new Damaged(`A piece of the backup is damaged: ${context}.`);
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
      }
      return freed;
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
