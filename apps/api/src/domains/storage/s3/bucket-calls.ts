import { BucketName } from '@nephos/contracts';
import { STORAGE_REGION } from '@nephos/contracts/constants';
import { atomically } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { noAudit } from '../../../core/call-audit.ts';
import { Refusal } from '../../../core/errors.ts';
import { record } from '../../../platform/audit.ts';
import { createBucket, listBuckets, removeBucket } from '../../buckets/service.ts';
import { asDenial } from './bucket-settings.ts';
import { pageSizeOf } from './list-objects.ts';
import { isPublicAcl } from './object-headers.ts';
import { type BucketCall, documentOf, doerOf, headerOf, type S3Call } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

type Own<Call extends S3Call> = Call & { caller: S3Caller };

/** A workspace as S3 names an owner. */
export function ownerXml({ id, name }: S3Caller['workspace']): { ID: string; DisplayName: string } {
  return { ID: id, DisplayName: name };
}

/** The buckets that the key opens, by name; a page goes on after the name that is its token. */
export async function sendBuckets({ parts, reply, caller, address }: Own<S3Call>): Promise<FastifyReply> {
  const { workspace, key } = caller;
  const { query } = address;
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const size = pageSizeOf(query, 'max-buckets');
  const all = await listBuckets({ db: parts.db, ownerId: workspace.id });
  const opened = all
    .filter(({ id, name }) => (key.bucketId ?? id) === id && name.startsWith(prefix) && name > after)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const shown = opened.slice(0, size);
  return sendXml(reply, 'ListAllMyBucketsResult', {
    Owner: ownerXml(workspace),
    Buckets: {
      Bucket: shown.map(({ name, createdAt }) => ({
        ...{ Name: name, CreationDate: new Date(createdAt).toISOString(), BucketRegion: STORAGE_REGION },
      })),
    },
    ContinuationToken: shown.length < opened.length ? shown.at(-1)?.name : undefined,
    Prefix: query.has('prefix') ? prefix : undefined,
  });
}

/** Its one setting, the region, means nothing here: there is one. */
const Configuration = z.union([z.literal(''), z.looseObject({})]);

/** Throws InvalidBucketName, BucketAlreadyExists, BucketAlreadyOwnedByYou and TooManyBuckets. */
export async function makeBucket(call: Own<S3Call>): Promise<FastifyReply> {
  const { parts, reply, caller, address, request } = call;
  const { data: name, success, error } = BucketName.safeParse(address.bucket);
  if (!success) throw new S3Error('InvalidBucketName', { message: error.issues[0]?.message ?? '' });
  if (caller.key.bucketId !== null) throw new S3Error('AccessDenied');
  if (headerOf(call, 'x-amz-bucket-object-lock-enabled')?.toLowerCase() === 'true') {
    throw new S3Error('NotImplemented');
  }
  const isPublic = isPublicAcl(call) ?? false;
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (hasBody) await documentOf(call, 'CreateBucketConfiguration', Configuration);
  const { id: ownerId } = caller.workspace;
  try {
    await atomically(parts.db, async (trx) => {
      const { id } = await createBucket({ db: trx, ownerId }, { name, isPublic, versioning: false });
      const subject = { kind: 'bucket', id, name };
      await record(trx, {
        ...doerOf(call),
        ownerId,
        procedure: 'buckets.create',
        subject,
        after: { isPublic },
      });
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'BUCKET_EXISTS') throw error;
    throw new S3Error(error.existingId === undefined ? 'BucketAlreadyExists' : 'BucketAlreadyOwnedByYou');
  }
  return reply.header('location', `/${name}`).send();
}

/** Says that a bucket is there and open to the key. */
export async function headBucket({ reply }: BucketCall): Promise<FastifyReply> {
  return reply.header('x-amz-bucket-region', STORAGE_REGION).send();
}

/** S3 has no name for the region that everything began with. */
export async function sendLocation({ reply }: BucketCall): Promise<FastifyReply> {
  return sendXml(reply, 'LocationConstraint', {});
}

/** Throws BucketNotEmpty, and AccessDenied for the console's own. */
export async function deleteBucket(call: Own<BucketCall>): Promise<FastifyReply> {
  const { parts, reply, bucket, caller } = call;
  const { id: ownerId } = caller.workspace;
  try {
    await atomically(parts.db, async (trx) => {
      await removeBucket({ db: trx, ownerId, audit: noAudit }, bucket.id);
      const subject = { kind: 'bucket', id: bucket.id, name: bucket.name };
      await record(trx, { ...doerOf(call), ownerId, procedure: 'buckets.remove', subject });
    });
  } catch (error) {
    throw asDenial(error, 'UPLOADS_STAYS');
  }
  return reply.code(204).send();
}
