import { atomically } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { lockAccount } from '../../../platform/account-lock.ts';
import { setVersionTags } from '../object-versions.ts';
import { readable } from './get-object.ts';
import { findVersionRow, missing, setVersion, versionIn } from './named-version.ts';
import { assertTags } from './object-headers.ts';
import { listOf } from './parse-xml.ts';
import { placeOf } from './put-object.ts';
import { type BucketCall, documentOf, headerOf } from './s3-call.ts';
import { badArgument } from './s3-error.ts';
import { sendXml } from './xml.ts';

const Tag = z.object({ Key: z.string(), Value: z.string() });
const Tags = z.union([
  z.object({ Tag: listOf(Tag) }),
  z
    .string()
    .regex(/^\s*$/)
    .transform(() => ({ Tag: [] })),
]);
const Tagging = z.object({ TagSet: Tags });

/** GetObjectTagging. */
export async function sendTags(call: BucketCall): Promise<FastifyReply> {
  const row = await readable(call);
  setVersion(call.reply, call.bucket, row);
  const Tag = Object.entries(row.tags).map(([Key, Value]) => ({ Key, Value }));
  return sendXml(call.reply, 'Tagging', { TagSet: { Tag } });
}

async function setTags(call: BucketCall, tags: Record<string, string>): Promise<void> {
  const place = placeOf(call);
  const named = versionIn(call.address.query.get('versionId'));
  const row = await atomically(call.parts.db, async (trx) => {
    // Under it no object of a key becomes a former one.
    await lockAccount(trx, place.ownerId);
    const found = await findVersionRow(trx, place, named);
    if (!found || !(await setVersionTags(trx, found, tags))) throw await missing(trx, place, named);
    return found;
  });
  setVersion(call.reply, call.bucket, row);
}

/** PutObjectTagging. Throws InvalidTag. */
export async function putTags(call: BucketCall): Promise<FastifyReply> {
  const { TagSet } = await documentOf(call, 'Tagging', Tagging);
  await setTags(call, assertTags(TagSet.Tag.map(({ Key, Value }) => [Key, Value] as const)));
  return call.reply.send();
}

/** DeleteObjectTagging. */
export async function deleteTags(call: BucketCall): Promise<FastifyReply> {
  await setTags(call, {});
  return call.reply.code(204).send();
}

const ATTRIBUTES: ReadonlySet<string> = new Set([
  'ETag',
  'Checksum',
  'ObjectParts',
  'StorageClass',
  'ObjectSize',
]);

/** GetObjectAttributes: those that are asked for. Throws InvalidArgument. */
export async function sendAttributes(call: BucketCall): Promise<FastifyReply> {
  const row = await readable(call);
  const { etag, checksum, fileSize, pieces, uploadedAt } = row;
  const asked = new Set(
    (headerOf(call, 'x-amz-object-attributes') ?? '').split(',').map((name) => name.trim()),
  );
  const unknown = [...asked].find((name) => !ATTRIBUTES.has(name));
  if (unknown !== undefined) {
    throw badArgument('x-amz-object-attributes', `Name one or more of ${[...ATTRIBUTES].join(', ')}.`);
  }
  setVersion(call.reply, call.bucket, row);
  call.reply.header('last-modified', new Date(uploadedAt).toUTCString());
  return sendXml(call.reply, 'GetObjectAttributesOutput', {
    ETag: asked.has('ETag') ? etag : undefined,
    Checksum:
      asked.has('Checksum') && checksum
        ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
        : undefined,
    ObjectParts: asked.has('ObjectParts') && pieces ? { PartsCount: pieces.length } : undefined,
    StorageClass: asked.has('StorageClass') ? 'STANDARD' : undefined,
    ObjectSize: asked.has('ObjectSize') ? fileSize : undefined,
  });
}
