import { atomically, type CorsRule, type LifecycleRule } from '@nephos/db';
import { noAudit } from '../../../core/call-audit.ts';
import { Refusal } from '../../../core/errors.ts';
import { record } from '../../../platform/audit.ts';
import { updateBucket } from '../../buckets/service.ts';
import { type BucketCall, doerOf } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

type Rules = { cors: readonly CorsRule[] | null } | { lifecycle: readonly LifecycleRule[] | null };

/** Sets rules of a bucket as a whole, or takes them away. */
export async function setRules(call: BucketCall, after: Rules): Promise<void> {
  const { id, ownerId, name, cors, lifecycle } = call.bucket;
  const columns = 'cors' in after ? { cors: jsonOf(after.cors) } : { lifecycle: jsonOf(after.lifecycle) };
  await atomically(call.parts.db, async (trx) => {
    await trx
      .updateTable('buckets')
      .set(columns)
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    await record(trx, {
      ...{ ...doerOf(call), ownerId, procedure: 'buckets.update', subject: { kind: 'bucket', id, name } },
      ...{ before: 'cors' in after ? { cors } : { lifecycle }, after },
    });
  });
}

function jsonOf(rules: readonly object[] | null): string | null {
  return rules && JSON.stringify(rules);
}

/** Lets anybody read what is in a bucket, or nobody. Throws AccessDenied for the console's own. */
export async function setPublic(call: BucketCall, isPublic: boolean): Promise<void> {
  const { id, ownerId, name, isPublic: wasPublic } = call.bucket;
  try {
    await atomically(call.parts.db, async (trx) => {
      await updateBucket({ db: trx, ownerId, audit: noAudit }, { id, isPublic });
      await record(trx, {
        ...{ ...doerOf(call), ownerId, procedure: 'buckets.update', subject: { kind: 'bucket', id, name } },
        ...{ before: { isPublic: wasPublic }, after: { isPublic } },
      });
    });
  } catch (error) {
    throw asDenial(error, 'UPLOADS_PRIVATE');
  }
}

/** What S3 clients are told where the console's own bucket does not let something be done to it. */
export function asDenial(error: unknown, reason: string): unknown {
  if (!(error instanceof Refusal) || error.reason !== reason) return error;
  return new S3Error('AccessDenied', { message: error.message });
}
