import { atomically, type Database } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { lockAccount } from '../../../platform/account-lock.ts';
import { record } from '../../../platform/audit.ts';
import { deleteVersion } from '../object-versions.ts';
import type { ObjectPlace } from '../versions.ts';
import { objectAt, deleteObject as removeObject } from '../versions.ts';
import { setVersion, versionIn, versionName } from './named-version.ts';
import { assertWrite, writeConditionsOf } from './object-conditions.ts';
import { placeOf } from './put-object.ts';
import { type BucketCall, documentOf, doerOf, MAX_KEY_BYTES, type S3Parts } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

const MOST = 1000;

/** DeleteObject: fine where there is none. */
export async function deleteObject(call: BucketCall): Promise<FastifyReply> {
  const { parts, reply, request, bucket, address } = call;
  const place = placeOf(call);
  const versionId = versionIn(address.query.get('versionId'));
  const { ifMatch } = writeConditionsOf({ headers: { 'if-match': request.headers['if-match'] } });
  const gone = await atomically(parts.db, async (trx) => {
    await lockAccount(trx, place.ownerId);
    if (ifMatch !== undefined) {
      const existing = await objectAt(trx, place).forUpdate().executeTakeFirst();
      assertWrite({ ifMatch, ifNoneMatch: undefined }, existing);
    }
    return removed(trx, parts, place, versionId);
  });
  if (gone.isMarker) reply.header('x-amz-delete-marker', 'true');
  if (gone.versionId !== undefined) setVersion(reply, bucket, { versionId: gone.versionId });
  return reply.code(204).send();
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
  const { markerId } = await removeObject(trx, deletion, place);
  return markerId === undefined ? { isMarker: false } : { isMarker: true, versionId: markerId };
}

const Named = z.object({ Key: z.string(), VersionId: z.string().optional() });
const Delete = z.object({
  Object: z.union([Named.transform((one) => [one]), z.array(Named)]),
  Quiet: z.string().optional(),
});

/** DeleteObjects: up to 1,000 in one transaction, which has one record. */
export async function deleteObjects(call: BucketCall): Promise<FastifyReply> {
  const { parts, reply, bucket } = call;
  const { id: bucketId, ownerId, name } = bucket;
  const { Object: named, Quiet } = await documentOf(call, 'Delete', Delete);
  if (named.length > MOST) throw new S3Error('MalformedXML');
  const isKey = ({ Key }: { Key: string }) => Key !== '' && Buffer.byteLength(Key) <= MAX_KEY_BYTES;
  const asked = named
    .filter(isKey)
    .map(({ Key: key, VersionId = null }) => ({ key, named: versionIn(VersionId) }));
  const gone = await atomically(parts.db, async (trx) => {
    await lockAccount(trx, ownerId);
    const each: (Gone & (typeof asked)[number])[] = [];
    for (const one of asked) {
      each.push({ ...one, ...(await removed(trx, parts, { ownerId, bucketId, key: one.key }, one.named)) });
    }
    const subject = { kind: 'bucket', id: bucketId, name };
    const before = { keys: asked.length, first: asked[0]?.key };
    await record(trx, { ...doerOf(call), ownerId, procedure: 'storage.deleteObjects', subject, before });
    return each;
  });
  const isQuiet = Quiet?.trim().toLowerCase() === 'true';
  return sendXml(reply, 'DeleteResult', {
    Deleted: isQuiet
      ? []
      : gone.map(({ key, named: version, isMarker, versionId }) => ({
          Key: key,
          VersionId: version === undefined ? undefined : versionName(version),
          ...(isMarker && { DeleteMarker: true, DeleteMarkerVersionId: versionName(versionId ?? null) }),
        })),
    Error: named
      .filter((one) => !isKey(one))
      .map(({ Key }) => ({ Key, Code: 'KeyTooLongError', Message: 'A key has 1 to 1,024 bytes.' })),
  });
}
