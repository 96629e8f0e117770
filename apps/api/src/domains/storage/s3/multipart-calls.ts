import { MAX_PARTS } from '@nephos/contracts/constants';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { completeUpload, type NamedPart } from '../complete-upload.ts';
import {
  abortUpload,
  addPart,
  beginUpload,
  findUpload,
  listParts,
  type PartRow,
  type UploadRow,
} from '../multipart.ts';
import { objectAt, putObject } from '../versions.ts';
import { ownerXml } from './bucket-calls.ts';
import {
  type ChecksumAlgorithm,
  checksumHeader,
  checksumNamed,
  type NamedChecksum,
  namedAlgorithm,
} from './checksums.ts';
import { setExpiration } from './expiration.ts';
import { keyWriter, pageSizeOf } from './list-objects.ts';
import { setVersion } from './named-version.ts';
import { assertWrite, isConditional, writeConditionsOf } from './object-conditions.ts';
import { isPublicAcl, objectHeadersOf, tagsIn } from './object-headers.ts';
import { listOf } from './parse-xml.ts';
import { placeOf } from './put-object.ts';
import { type BucketCall, documentOf, headerOf, uploadOf } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { badArgument, S3Error } from './s3-error.ts';
import { isCombinable, wholeChecksum } from './whole-checksum.ts';
import { sendXml, type XmlElements } from './xml.ts';

type Call = BucketCall & { caller: S3Caller };

const UUID = z.uuid();

export function ownerOf({ parts: { db }, bucket: { ownerId } }: Call) {
  return { db, ownerId };
}

/** The upload that a call names, which has to be one of its key. Throws NoSuchUpload. */
export async function named(call: Call): Promise<UploadRow> {
  const id = call.address.query.get('uploadId') ?? '';
  const { bucketId, key } = placeOf(call);
  const upload = UUID.safeParse(id).success ? await findUpload(ownerOf(call), id) : undefined;
  if (upload?.bucketId !== bucketId || upload.key !== key) throw new S3Error('NoSuchUpload');
  return upload;
}

/** Whether all of one checksum is known when the parts are; by default as S3 has it. Throws InvalidRequest. */
function checksumAsked(call: Call): UploadRow['checksum'] {
  const name = headerOf(call, 'x-amz-checksum-algorithm');
  if (name === undefined) return null;
  const algorithm = namedAlgorithm(name);
  const usual = algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE';
  const type = headerOf(call, 'x-amz-checksum-type') ?? usual;
  const isPossible =
    (type === 'FULL_OBJECT' && isCombinable(algorithm)) ||
    (type === 'COMPOSITE' && algorithm !== 'CRC64NVME');
  if (!isPossible) {
    throw new S3Error('InvalidRequest', { message: `${algorithm} cannot be of the type ${type}.` });
  }
  return { algorithm, type };
}

/** CreateMultipartUpload. */
export async function begin(call: Call): Promise<FastifyReply> {
  const { reply, bucket } = call;
  const { bucketId, key } = placeOf(call);
  const checksum = checksumAsked(call);
  const said = { ...objectHeadersOf(call), tags: tagsIn(call), isPublic: isPublicAcl(call) ?? false };
  const { id } = await beginUpload(ownerOf(call), { ...said, bucketId, key, checksum });
  if (checksum) {
    reply.headers({
      'x-amz-checksum-algorithm': checksum.algorithm,
      'x-amz-checksum-type': checksum.type,
    });
  }
  return sendXml(reply, 'InitiateMultipartUploadResult', { Bucket: bucket.name, Key: key, UploadId: id });
}

/** Throws InvalidArgument. */
export function partNumberOf({ address: { query } }: Call): number {
  const text = query.get('partNumber') ?? '';
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PARTS) return number;
  throw badArgument('partNumber', 'partNumber has to be 1 to 10,000.');
}

/** UploadPart. */
export async function putPart(call: Call): Promise<FastifyReply> {
  const { parts, reply } = call;
  const partNumber = partNumberOf(call);
  const { id, checksum: asked } = await named(call);
  const payload = uploadOf(call, { algorithm: asked?.algorithm });
  const { length, bytes } = payload;
  if (length === undefined) throw new S3Error('MissingContentLength');
  const { etag, checksum } = await addPart(ownerOf(call), parts, id, {
    partNumber,
    read(limit, refuse) {
      if (length > limit) throw refuse();
      return bytes;
    },
    received: () => payload.received(),
  });
  if (checksum) reply.header(checksumHeader(checksum.algorithm), checksum.value);
  return reply.header('etag', `"${etag}"`).send();
}

/** ListParts. */
export async function sendParts(call: Call): Promise<FastifyReply> {
  const { reply, bucket, caller, parts, address } = call;
  const upload = await named(call);
  const { query } = address;
  const limit = pageSizeOf(query, 'max-parts');
  const marker = query.get('part-number-marker') ?? '0';
  if (!/^\d{1,6}$/.test(marker)) throw badArgument('part-number-marker', 'It has to be a number.');
  const found = await listParts(parts.db, upload.id, { after: Number(marker), limit: limit + 1 });
  const shown = found.slice(0, limit);
  return sendXml(reply, 'ListPartsResult', {
    ...{ Bucket: bucket.name, Key: keyWriter(query)(upload.key), UploadId: upload.id },
    ...{ Initiator: ownerXml(caller.workspace), Owner: ownerXml(caller.workspace), StorageClass: 'STANDARD' },
    ...{ PartNumberMarker: Number(marker), NextPartNumberMarker: shown.at(-1)?.partNumber ?? 0 },
    ...{ MaxParts: limit, IsTruncated: limit > 0 && found.length > limit },
    ...{ ChecksumAlgorithm: upload.checksum?.algorithm, ChecksumType: upload.checksum?.type },
    Part: shown.map(({ partNumber, createdAt, etag, fileSize, checksum }) => ({
      ...{ PartNumber: partNumber, LastModified: new Date(createdAt).toISOString() },
      ...{ ETag: `"${etag}"`, Size: fileSize },
      ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
    })),
  });
}

/** Texts of a part, by name: the number, the entity tag and checksums. */
const Part = z.object({ PartNumber: z.string().regex(/^\d{1,5}$/), ETag: z.string() }).catchall(z.string());
const Completed = z.object({ Part: listOf(Part) });
type NamedByClient = NamedPart & { sums: ReadonlyMap<string, string> };

async function partsIn(call: Call): Promise<NamedByClient[]> {
  // A checksum among the headers is the object's.
  const { Part } = await documentOf(call, 'CompleteMultipartUpload', Completed, { isOfOther: true });
  return Part.map(({ PartNumber, ETag, ...sums }) => ({
    partNumber: Number(PartNumber),
    etag: ETag.trim().replace(/^"|"$/g, ''),
    sums: new Map(Object.entries(sums)),
  }));
}

/** CompleteMultipartUpload: sent again with the same parts it answers the same. */
export async function complete(call: Call): Promise<FastifyReply> {
  const { parts, reply, bucket, request, address } = call;
  const id = address.query.get('uploadId') ?? '';
  if (!UUID.safeParse(id).success) throw new S3Error('NoSuchUpload');
  const place = placeOf(call);
  const conditions = writeConditionsOf(request);
  const asked = await partsIn(call);
  const placed = await completeUpload(
    ownerOf(call),
    parts,
    { id, named: asked },
    async (trx, { upload, parts: used, content }) => {
      if (upload.bucketId !== place.bucketId || upload.key !== place.key) throw new S3Error('NoSuchUpload');
      if (isConditional(conditions)) {
        assertWrite(conditions, await objectAt(trx, place).forUpdate().executeTakeFirst());
      }
      for (const [at, { checksum }] of used.entries()) assertSums(asked[at], checksum);
      const checksum = await checkedWhole(call, upload, used);
      const size = headerOf(call, 'x-amz-mp-object-size') ?? String(content.fileSize);
      if (Number(size) !== content.fileSize) {
        throw new S3Error('InvalidRequest', {
          message: "The parts together don't have x-amz-mp-object-size bytes.",
        });
      }
      return putObject(trx, parts.deletion, place, { ...content, checksum, isPublic: upload.isPublic });
    },
  );
  if (placed.bucketId !== place.bucketId || placed.key !== place.key) throw new S3Error('NoSuchUpload');
  setVersion(reply, bucket, placed);
  setExpiration(reply, bucket, { ...placed, key: place.key });
  return sendXml(reply, 'CompleteMultipartUploadResult', {
    ...{ Location: `${parts.settings.publicUrl.origin}/${bucket.name}/${encodeURI(place.key)}` },
    ...{ Bucket: bucket.name, Key: place.key, ETag: `"${placed.etag}"` },
    ...checksumXml(placed.checksum),
  });
}

/** Throws InvalidPart where a client says another checksum of a part than it has, or one that it has not. */
function assertSums(asked: NamedByClient | undefined, checksum: PartRow['checksum']): void {
  for (const [name, value] of asked?.sums ?? []) {
    const isOther = name !== `Checksum${checksum?.algorithm}` || value !== checksum?.value;
    if (name.startsWith('Checksum') && isOther) throw new S3Error('InvalidPart');
  }
}

/**
 * The checksum of the whole, compared with that which came with the call. Throws BadDigest, and InvalidRequest for one that
 * the parts do not tell.
 */
async function checkedWhole(call: Call, upload: UploadRow, used: readonly PartRow[]) {
  const sent = checksumNamed(call.request.headers);
  const whole = await wholeChecksum({ checksum: upload.checksum ?? (sent ? typeOf(sent) : null) }, used);
  if (!sent) return whole;
  if (whole?.algorithm !== sent.algorithm) {
    throw new S3Error('InvalidRequest', {
      message: `Not all parts came with ${sent.algorithm}, so that of the whole can't be compared.`,
    });
  }
  if (whole.value !== sent.value) throw new S3Error('BadDigest');
  return whole;
}

/** What a checksum is of, where nobody said so before: one of checksums ends with how many they are. */
function typeOf({ algorithm, value }: NamedChecksum): UploadRow['checksum'] {
  if (/-\d+$/.test(value)) return { algorithm, type: 'COMPOSITE' };
  return isCombinable(algorithm) ? { algorithm, type: 'FULL_OBJECT' } : null;
}

function checksumXml(
  checksum: { algorithm: ChecksumAlgorithm; value: string; type: string } | null,
): XmlElements {
  return checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type } : {};
}

/** AbortMultipartUpload. */
export async function abort(call: Call): Promise<FastifyReply> {
  const { id } = await named(call);
  await abortUpload(ownerOf(call), call.parts, id);
  return call.reply.code(204).send();
}
