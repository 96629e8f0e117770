import { isAbsolute } from 'node:path';

/** Where backups lie: a folder, or what begins with a prefix in a bucket. */
export type BackupPlace = { folder: string } | { bucket: string; prefix: string };

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[a-z0-9][a-z0-9-]*)*)\/?$/;

/** Reads `/folder`, `s3://bucket` or `s3://bucket/prefix`; undefined for anything else. */
export function readBackupPlace(text: string): BackupPlace | undefined {
  if (isAbsolute(text)) return { folder: text };
  const [, bucket, prefix = ''] = BUCKET.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix === '' ? '' : `${prefix.slice(1)}/` };
}
