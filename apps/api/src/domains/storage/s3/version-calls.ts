import { atomically } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { record } from '../../../platform/audit.ts';
import { type BucketCall, documentOf, doerOf } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

const STATUS = { off: undefined, enabled: 'Enabled', suspended: 'Suspended' } as const;

/** GetBucketVersioning. */
export async function sendVersioning({ reply, bucket }: BucketCall): Promise<FastifyReply> {
  return sendXml(reply, 'VersioningConfiguration', { Status: STATUS[bucket.versioning] });
}

const Versioning = z.object({
  Status: z.enum(['Enabled', 'Suspended']),
  MfaDelete: z.enum(['Enabled', 'Disabled']).optional(),
});

/** PutBucketVersioning. Throws NotImplemented for deletions that ask for a second factor. */
export async function putVersioning(call: BucketCall): Promise<FastifyReply> {
  const { parts, reply, bucket } = call;
  const { Status, MfaDelete } = await documentOf(call, 'VersioningConfiguration', Versioning);
  if (MfaDelete === 'Enabled') throw new S3Error('NotImplemented');
  const versioning = Status === 'Enabled' ? 'enabled' : 'suspended';
  const { id, ownerId, name } = bucket;
  await atomically(parts.db, async (trx) => {
    await trx
      .updateTable('buckets')
      .set({ versioning })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    await record(trx, {
      ...{ ...doerOf(call), ownerId, procedure: 'buckets.update', subject: { kind: 'bucket', id, name } },
      ...{ before: { versioning: bucket.versioning }, after: { versioning } },
    });
  });
  return reply.send();
}
