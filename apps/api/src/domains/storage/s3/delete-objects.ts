import { atomically, type Database } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { lockAccount } from '../../../platform/account-lock.ts';
import { record } from '../../../platform/audit.ts';
import { type Deleted, deleteObject as removeObject } from '../delete-file.ts';
import { deleteVersion, findVersion, deleteObjects as removeObjects } from '../object-versions.ts';
import { type ObjectPlace, objectAt } from '../versions.ts';
import { setVersion, versionIn, versionName } from './named-version.ts';
import { assertWrite, writeConditionsOf } from './object-conditions.ts';
import { listOf } from './parse-xml.ts';
import { placeOf } from './put-object.ts';
import { type BucketCall, documentOf, doerOf, MAX_KEY_BYTES, type S3Parts } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

const MOST = 1000;
/** Of many, those that one transaction deletes: other writes of the workspace wait for it to end. */
const AT_ONCE = 25;

/** DeleteObject: fine where there is none. */
export async function deleteObject(call: BucketCall): Promise<FastifyReply> {
  const { parts, reply, request, bucket, address } = call;
  const place = placeOf(call);
  const versionId = versionIn(address.query.get('versionId'));
  const condition = request.headers['if-match'];
  const gone = await atomically(parts.db, async (trx) => {
    await lockAccount(trx, place.ownerId);
    await assertExpected(trx, place, { versionId, condition });
    return removed(trx, parts, place, versionId);
  });
  if (gone.isMarker) reply.header('x-amz-delete-marker', 'true');
  if (gone.versionId !== undefined) setVersion(reply, bucket, { versionId: gone.versionId });
  return reply.code(204).send();
}

/** Throws PreconditionFailed where what is there is not what is to be deleted; where nothing is, nothing is in the way. */
async function assertExpected(
  trx: Kysely<Database>,
  place: ObjectPlace,
  { versionId, condition }: { versionId: string | null | undefined; condition: string | undefined },
): Promise<void> {
  if (condition === undefined) return;
  const existing =
    versionId === undefined
      ? await objectAt(trx, place).executeTakeFirst()
      : await findVersion(trx, place, versionId);
  if (existing) assertWrite(writeConditionsOf({ headers: { 'if-match': condition } }), existing);
}

/** What a deletion removed or left: a marker, and the version that it is. */
interface Gone {
  isMarker: boolean;
  versionId?: string | null;
}

async function removed(
  trx: Kysely<Database>,
  { deletion }: S3Parts,
  place: ObjectPlace,
  versionId: string | null | undefined,
): Promise<Gone> {
  if (versionId !== undefined) {
    const version = await deleteVersion(trx, deletion, place, versionId);
    return { isMarker: version?.wasMarker ?? false, versionId };
  }
  return goneBy(await removeObject(trx, deletion, place));
}

function goneBy({ markerId }: Deleted): Gone {
  return markerId === undefined ? { isMarker: false } : { isMarker: true, versionId: markerId };
}

const Named = z.strictObject({
  ...{ Key: z.string(), VersionId: z.string().optional(), ETag: z.string().optional() },
  ...{ LastModifiedTime: z.string().optional(), Size: z.string().optional() },
});
const Delete = z.object({ Object: listOf(Named), Quiet: z.string().optional() });
type One = z.output<typeof Named>;

function isKey(key: string): boolean {
  return key !== '' && Buffer.byteLength(key) <= MAX_KEY_BYTES;
}

/** One of many, and what became of it. */
type Done = { one: One } & ({ gone: Gone } | { refusal: S3Error });

/** Deletes one of many. A refusal that is S3's own is that one's alone. */
async function removeOne(
  trx: Kysely<Database>,
  parts: S3Parts,
  { ownerId, id: bucketId }: BucketCall['bucket'],
  one: One,
): Promise<Done> {
  const { Key: key, VersionId = null, ETag: condition } = one;
  const place = { ownerId, bucketId, key };
  try {
    if (!isKey(key)) throw new S3Error('KeyTooLongError');
    const versionId = versionIn(VersionId);
    await assertExpected(trx, place, { versionId, condition });
    return { one, gone: await removed(trx, parts, place, versionId) };
  } catch (error) {
    if (error instanceof S3Error) return { one, refusal: error };
    throw error;
  }
}

function isPlain({ Key, VersionId, ETag }: One): boolean {
  return isKey(Key) && VersionId === undefined && ETag === undefined;
}

/** Deletes some of many, together where nothing is said of them but their keys. */
async function removeSome(
  trx: Kysely<Database>,
  parts: S3Parts,
  bucket: BucketCall['bucket'],
  some: readonly One[],
): Promise<Done[]> {
  if (some.every(isPlain)) {
    const place = { ownerId: bucket.ownerId, bucketId: bucket.id };
    const keys = some.map(({ Key }) => Key);
    const deleted = await removeObjects(trx, parts.deletion, place, keys);
    return some.map((one, at) => ({ one, gone: goneBy(deleted[at] ?? {}) }));
  }
  const done: Done[] = [];
  for (const one of some) done.push(await removeOne(trx, parts, bucket, one));
  return done;
}

/** DeleteObjects: up to 1,000, with one record. */
export async function deleteObjects(call: BucketCall): Promise<FastifyReply> {
  const { parts, reply, bucket } = call;
  const { id: bucketId, ownerId, name } = bucket;
  const { Object: named, Quiet } = await documentOf(call, 'Delete', Delete);
  if (named.length > MOST) throw new S3Error('MalformedXML');
  if (named.some(({ LastModifiedTime, Size }) => LastModifiedTime !== undefined || Size !== undefined)) {
    throw new S3Error('NotImplemented', { message: 'The condition of a deletion can be an ETag.' });
  }
  const subject = { kind: 'bucket', id: bucketId, name };
  const before = { keys: named.length, first: named[0]?.Key };
  const all: Done[] = [];
  for (let at = 0; at < named.length; at += AT_ONCE) {
    const done = await atomically(parts.db, async (trx) => {
      await lockAccount(trx, ownerId);
      if (at === 0) {
        await record(trx, { ...doerOf(call), ownerId, procedure: 'storage.deleteObjects', subject, before });
      }
      return removeSome(trx, parts, bucket, named.slice(at, at + AT_ONCE));
    });
    all.push(...done);
  }
  const isQuiet = Quiet?.trim().toLowerCase() === 'true';
  return sendXml(reply, 'DeleteResult', {
    Deleted: isQuiet ? [] : all.flatMap((done) => ('gone' in done ? [deletedXml(done)] : [])),
    Error: all.flatMap((done) => ('refusal' in done ? [refusalXml(done)] : [])),
  });
}

function deletedXml({
  one: { Key, VersionId },
  gone: { isMarker, versionId = null },
}: Done & { gone: Gone }) {
  const marker = isMarker && { DeleteMarker: true, DeleteMarkerVersionId: versionName(versionId) };
  return { Key, VersionId, ...marker };
}

function refusalXml({ one: { Key, VersionId }, refusal: { code, message } }: Done & { refusal: S3Error }) {
  return { Key, VersionId, Code: code, Message: message };
}
