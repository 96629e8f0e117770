import { createHash } from 'node:crypto';
import type { DigestAlgorithm, ExpectedDigest } from '../../../platform/object-store/object-store.ts';

const HEX_LENGTH: Readonly<Record<DigestAlgorithm, number>> = { sha256: 64, sha512: 128 };

/** A digest of the OCI image spec's two registered algorithms; undefined for anything else. */
export function parseDigest(text: string): ExpectedDigest | undefined {
  const [, algorithm, hex] = /^(sha256|sha512):([0-9a-f]+)$/.exec(text) ?? [];
  if ((algorithm !== 'sha256' && algorithm !== 'sha512') || hex?.length !== HEX_LENGTH[algorithm]) {
    return undefined;
  }
  return { algorithm, hex };
}

export function digestOf(content: Buffer, algorithm: DigestAlgorithm): string {
  return `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`;
}

/** Where the object store keeps blobs. */
export const BLOB_OBJECTS = 'blobs/';

/** Where it keeps this one: once for all repositories. */
export function blobKey({ algorithm, hex }: ExpectedDigest): string {
  return `${BLOB_OBJECTS}${algorithm}/${hex}`;
}

/** The digest of the blob whose bytes have this key; undefined where the key is none of ours. */
export function digestOfKey(key: string): string | undefined {
  const digest = key.slice(BLOB_OBJECTS.length).replace('/', ':');
  return parseDigest(digest) && digest;
}
