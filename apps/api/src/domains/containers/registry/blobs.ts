import type { FastifyReply } from 'fastify';
import { readRange } from '../../../http/bytes.ts';
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

export async function headBlob(call: RegistryCall, address: BlobAddress): Promise<FastifyReply> {
  const { digest, size } = await find(call, address);
  if (isKnown(call, digest)) return describe(call, digest).code(304).send();
  return describe(call, digest).header('content-length', size).send();
}

/** Streams a blob, or the one range of it that is asked for (RFC 9110 §14). */
export async function getBlob(call: RegistryCall, address: BlobAddress): Promise<FastifyReply> {
  const { deps, request, reply } = call;
  const { digest, size } = await find(call, address);
  if (isKnown(call, digest)) return describe(call, digest).code(304).send();
  const range = readRange(request.headers.range, size);
  if (range === 'unsatisfiable') {
    throw new RegistryError({
      status: 416,
      code: 'SIZE_INVALID',
      message: "The requested range isn't available.",
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  const content = await deps.objects.get(blobKey(address.expected), range);
  if (!content) throw blobUnknown(digest);
  describe(call, digest);
  if (!range) return reply.header('content-length', size).send(content);
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1)
    .send(content);
}

/** Takes a blob out of this repository; others that have it keep it. */
export async function deleteBlob(call: RegistryCall, { digest }: BlobAddress): Promise<FastifyReply> {
  if (!(await unlinkBlob(call.deps, existing(call), digest))) throw blobUnknown(digest);
  return call.reply.code(202).send();
}
