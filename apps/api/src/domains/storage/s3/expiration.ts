import type { LifecycleRule } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import type { FileRow } from '../service.ts';
import type { BucketRow } from './s3-call.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Ruled = Pick<FileRow, 'fileSize' | 'tags' | 'uploadedAt'> & { key: string };

/** Whether a rule is for an object, as the sweep has it. */
function isFor({ isEnabled, prefix, tags, above, below }: LifecycleRule, object: Ruled): boolean {
  return (
    isEnabled &&
    object.key.startsWith(prefix) &&
    Object.entries(tags).every(([name, value]) => object.tags[name] === value) &&
    object.fileSize > (above ?? -1) &&
    (below === undefined || object.fileSize < below)
  );
}

/** When a rule deletes an object, in milliseconds since 1970; S3 counts days from the midnight, in GMT, that follows. */
function dueAt({ expiry }: LifecycleRule, { uploadedAt }: Ruled): number | undefined {
  if (!expiry || 'markers' in expiry) return undefined;
  if ('date' in expiry) return Date.parse(expiry.date);
  return (Math.floor(Date.parse(uploadedAt) / DAY_MS) + 1 + expiry.days) * DAY_MS;
}

/** Says when the current object of a key goes by the rules of its bucket, and by which of them first. */
export function setExpiration(
  reply: FastifyReply,
  { lifecycle }: Pick<BucketRow, 'lifecycle'>,
  object: Ruled,
): void {
  const [first] = (lifecycle ?? [])
    .filter((rule) => isFor(rule, object))
    .flatMap((rule) => {
      const at = dueAt(rule, object);
      return at === undefined ? [] : [{ at, id: rule.id }];
    })
    .sort((one, other) => one.at - other.at);
  if (!first) return;
  const date = new Date(first.at).toUTCString();
  reply.header('x-amz-expiration', `expiry-date="${date}", rule-id="${encodeURIComponent(first.id)}"`);
}
