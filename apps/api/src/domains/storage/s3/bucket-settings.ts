import type { CorsRule } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import { noAudit } from '../../../core/call-audit.ts';
import { Refusal } from '../../../core/errors.ts';
import { record } from '../../../platform/audit.ts';
import { type Ruled, setCors, setLifecycle } from '../../buckets/rules.ts';
import { updateBucket } from '../../buckets/service.ts';
import { type BucketCall, doerOf } from './s3-call.ts';
import { badArgument, S3Error } from './s3-error.ts';

type Rules = { cors: CorsRule[] } | { lifecycle: Ruled[] };

/** Sets rules of a bucket as a whole; none takes them away. Throws AccessDenied for those of the console's own. */
export async function setRules(call: BucketCall, after: Rules): Promise<void> {
  const { id, ownerId, name, cors, lifecycle } = call.bucket;
  try {
    await atomically(call.parts.db, async (trx) => {
      const ctx = { db: trx, ownerId, audit: noAudit };
      if ('cors' in after) await setCors(ctx, { id, rules: after.cors });
      else await setLifecycle(ctx, { id, rules: after.lifecycle });
      await record(trx, {
        ...{ ...doerOf(call), ownerId, subject: { kind: 'bucket', id, name } },
        procedure: 'cors' in after ? 'buckets.setCors' : 'buckets.setLifecycle',
        ...{ before: 'cors' in after ? { cors } : { lifecycle }, after },
      });
    });
  } catch (error) {
    throw asDenial(error, 'UPLOADS_CORS');
  }
}

/** What S3 calls what is wrong with rules: by the member that is it, where S3 names the argument. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  ...{ id: 'ID', 'expiry.days': 'Days', 'former.days': 'NoncurrentDays', abortDays: 'DaysAfterInitiation' },
  ...{ 'former.kept': 'NewerNoncurrentVersions', prefix: 'Prefix' },
};

/** Rules as the contract has them. Throws MalformedXML for too many, InvalidTag, InvalidArgument and InvalidRequest. */
export function asRules<T>(shape: z.ZodType<T>, rules: readonly object[]): T {
  const { data, success, error } = shape.safeParse(rules);
  if (success) return data;
  const [issue] = error.issues;
  const [at, ...path] = issue?.path ?? [];
  if (!issue || at === undefined) throw new S3Error('MalformedXML');
  if (path[0] === 'tags') throw new S3Error('InvalidTag', { message: issue.message });
  const argument = ARGUMENTS[path.join('.')];
  throw argument === undefined
    ? new S3Error('InvalidRequest', { message: issue.message })
    : badArgument(argument, issue.message);
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
