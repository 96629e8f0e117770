import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { ByteRange, Bytes } from '../../../platform/object-store/object-store.ts';
import { openBytes } from '../file-bytes.ts';
import { addPart, MAX_PART_BYTES, type NewPart } from '../multipart.ts';
import { type ChecksumAlgorithm, createChecksum } from './checksums.ts';
import { copySource } from './copy-object.ts';
import { named, ownerOf, partNumberOf } from './multipart-calls.ts';
import { type BucketCall, headerOf } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { badArgument, S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

type Call = BucketCall & { caller: S3Caller };

/** The bytes of a source that a call asks for; undefined for all. Throws InvalidRange and InvalidRequest. */
function rangeOf(call: Call, size: number): ByteRange | undefined {
  const header = headerOf(call, 'x-amz-copy-source-range');
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? [];
  const range = { start: Number(first), end: Number(last) };
  if (first === undefined || range.start > range.end) {
    throw badArgument('x-amz-copy-source-range', 'The range has to be bytes=<first>-<last>.');
  }
  if (range.end >= size) throw new S3Error('InvalidRange', { message: 'The source is shorter than that.' });
  return range;
}

/** What is copied, and on its way the checksum that its upload is to have. */
function measure(
  source: Bytes,
  algorithm: ChecksumAlgorithm,
): Required<Pick<NewPart, 'received'>> & { bytes: Bytes } {
  const md5 = createHash('md5');
  let value = '';
  async function* read() {
    const running = await createChecksum(algorithm);
    for await (const chunk of source) {
      md5.update(chunk);
      running.update(chunk);
      yield chunk;
    }
    value = await running.digest();
  }
  return { bytes: read(), received: () => ({ md5: md5.digest('hex'), checksum: { algorithm, value } }) };
}

/** UploadPartCopy. */
export async function copyPart(call: Call): Promise<FastifyReply> {
  const { parts, reply } = call;
  const partNumber = partNumberOf(call);
  const { id, checksum: asked } = await named(call);
  const source = await copySource(call);
  const range = rangeOf(call, source.fileSize);
  const size = range ? range.end - range.start + 1 : source.fileSize;
  if (size > MAX_PART_BYTES) throw new S3Error('EntityTooLarge');
  const bytes = await openBytes(parts.objects, source, range);
  if (!bytes) throw new S3Error('InternalError');
  try {
    const measured = asked ? measure(bytes, asked.algorithm) : { bytes };
    const { etag, createdAt, checksum } = await addPart(ownerOf(call), parts, id, {
      ...measured,
      partNumber,
      read(limit, refuse) {
        if (size > limit) throw refuse();
        return measured.bytes;
      },
    });
    return sendXml(reply, 'CopyPartResult', {
      LastModified: new Date(createdAt).toISOString(),
      ETag: `"${etag}"`,
      ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
    });
  } finally {
    bytes.destroy();
  }
}
