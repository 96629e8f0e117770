import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { createSecretsBox } from '../../platform/secrets-box.ts';
import { createKeptObjects } from './kept-objects.ts';

const secrets = createSecretsBox(Buffer.alloc(32));

/** Takes a moment before it reads, as one does that opens a file first. */
const slow: Pick<ObjectStore, 'put'> = {
  async put(_, source) {
    await wait(20);
    const sealed = await text(source);
    return { size: sealed.length, sha256: '' };
  },
};

test('a source that fails before it is read fails whoever keeps it, and nobody else', async () => {
  const kept = createKeptObjects({ objects: slow as ObjectStore, secrets });
  // biome-ignore lint/correctness/useYield: it fails before it yields anything.
  async function* broken(): AsyncGenerator<Uint8Array> {
    throw new Error('The server was never started.');
  }
  await expect(kept.put('backups/one/base/one', broken())).rejects.toThrow('The server was never started.');
});
