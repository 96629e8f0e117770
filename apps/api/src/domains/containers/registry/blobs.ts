import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { readRange } from '../../../http/bytes.ts';
import type { ByteRange } from '../../../platform/object-store/object-store.ts';
import type { Address } from './address.ts';
import { findBlob, type LinkedBlob, unlinkBlob } from './blob-store.ts';
import { etagOf, existing, isKnown, type RegistryCall } from './call.ts';
import { blobKey } from './digest.ts';
import { blobUnknown, RegistryError } from './registry-error.ts';

type BlobAddress = Extract<Address, { kind: 'blob' }>;

async function find(call: RegistryCall, { digest }: BlobAddress): Promise<LinkedBlob> {
  const blob = await findBlob(call.deps.db, existing(call).id, digest);
  if (!blob) throw blobUnknown(digest);
  return blob;
}

function describe({ reply }: RegistryCall, digest: string): FastifyReply {
  return reply
    .header('content-type', 'application/octet-stream')
    .header('docker-content-digest', digest)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, max-age=31536000, immutable')
    .header('etag', etagOf(digest));
}

/** Tells of a blob what `getBlob` would. */
export function sendBlobHead(call: RegistryCall, { digest, size }: LinkedBlob): FastifyReply {
  if (isKnown(call, digest)) return describe(call, digest).code(304).send();
  return describe(call, digest).header('content-length', size).send();
}

export async function headBlob(call: RegistryCall, address: BlobAddress): Promise<FastifyReply> {
  return sendBlobHead(call, await find(call, address));
}

export async function getBlob(call: RegistryCall, address: BlobAddress): Promise<FastifyReply> {
  const blob = await find(call, address);
  const { objects } = call.deps;
  return sendBlob(call, blob, (range) =>
    objects.get(blobKey(address.expected), range, { throughProcess: true }),
  );
}

/**
 * Streams a blob, or the one range of it that is asked for (RFC 9110 §14). `open` gives its bytes. Throws BLOB_UNKNOWN
 * where they are not there.
 */
export async function sendBlob(
  call: RegistryCall,
  { digest, size }: LinkedBlob,
  open: (range: ByteRange | undefined) => Promise<Readable | undefined>,
): Promise<FastifyReply> {
  if (isKnown(call, digest)) return describe(call, digest).code(304).send();
  const range = readRange(call.request.headers.range, size);
  if (range === 'unsatisfiable') {
    throw new RegistryError({
      status: 416,
      code: 'SIZE_INVALID',
      message: "The requested range isn't available.",
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  const content = await open(range);
  if (!content) throw blobUnknown(digest);
  if (!range) return sendWholeBlob(call, { digest, size }, content);
  return describe(call, digest)
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1)
    .send(content);
}

/** Streams all of a blob, whatever part is asked for. */
export function sendWholeBlob(
  call: RegistryCall,
  { digest, size }: LinkedBlob,
  content: Readable,
): FastifyReply {
  return describe(call, digest).header('content-length', size).send(content);
}

/** Takes a blob out of this repository; others that have it keep it. */
export async function deleteBlob(call: RegistryCall, { digest }: BlobAddress): Promise<FastifyReply> {
  if (!(await unlinkBlob(call.deps, existing(call), digest))) throw blobUnknown(digest);
  return call.reply.code(202).send();
}
