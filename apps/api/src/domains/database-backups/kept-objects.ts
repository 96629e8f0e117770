import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Platform } from '../../platform/platform.ts';
import { openStream, sealStream } from '../../platform/sealed-stream.ts';

/** What of the archives lies in the store, compressed and encrypted: nobody reads there what is in people's databases. */
export interface KeptObjects {
  /** Keeps a stream for good. Resolves with the bytes that it takes and their SHA-256 in hex. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }>;
  /** Opens it. The stream fails where what is there is not what was put there, or is gone. `told` counts its bytes. */
  get(key: string, told?: (bytes: number) => void): Promise<Readable>;
  delete(key: string): Promise<void>;
}

/** Bytes that are unpacked in one go: by less, most of the time is spent between the goes. */
const UNPACKED_AT_ONCE = 1024 * 1024;

export const ARCHIVES = 'backups/';

export const baseKey = (archiveId: string, backupId: string) => `${ARCHIVES}${archiveId}/base/${backupId}`;
export const walKey = (archiveId: string, name: string) => `${ARCHIVES}${archiveId}/wal/${name}`;

export function createKeptObjects({ objects, secrets }: Pick<Platform, 'objects' | 'secrets'>): KeptObjects {
  const key = secrets.deriveKey('database-archives');
  return {
    async put(context, source) {
      return objects.put(context, sealStream(compressed(source), { key, context }));
    },
    async get(context, told) {
      const sealed = await objects.get(context);
      if (!sealed) throw new Error(`What was kept as ${context} is gone.`);
      if (told) sealed.on('data', (piece: Uint8Array) => told(piece.length)).pause();
      const plain = new PassThrough();
      const opened = openStream(sealed, { key, context });
      // What goes wrong is told to who reads.
      pipeline(opened, createZstdDecompress({ chunkSize: UNPACKED_AT_ONCE }), plain).catch(() => {});
      return plain;
    },
    delete: (context) => objects.delete(context),
  };
}

/** Begins only once it is read: a source that failed before that would fail where nobody hears of it. */
async function* compressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const zstd = createZstdCompress();
  // What goes wrong is told to who reads.
  pipeline(source, zstd).catch(() => {});
  yield* zstd;
}
