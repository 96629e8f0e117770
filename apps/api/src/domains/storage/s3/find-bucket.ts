import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import { type Parameter, prepare } from '@nephos/db';
import { sql } from 'kysely';
import { uploadsBucket } from '../../buckets/service.ts';
import type { BucketRow, S3Parts } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { S3Error } from './s3-error.ts';

// Each workspace has one of the name of the console's.
const byName = prepare((db, parameter: Parameter<{ name: string; ownerId: string | null }>) =>
  db
    .selectFrom('buckets')
    .selectAll()
    .where('name', '=', parameter('name'))
    .where(sql<boolean>`(name <> ${sql.lit(UPLOADS_BUCKET)} or owner_id = ${parameter('ownerId')}::uuid)`)
    .compile(),
);

/** The bucket of that name as a caller sees it. Throws NoSuchBucket. */
export async function findBucket({ db }: S3Parts, name: string, caller: S3Caller | null): Promise<BucketRow> {
  const ownerId = caller?.workspace.id ?? null;
  const find = () => byName(db, { name, ownerId });
  const [bucket] = await find();
  if (bucket) return bucket;
  // The console's own is there for everybody, and made when it is first asked for.
  if (name !== UPLOADS_BUCKET || !caller) throw new S3Error('NoSuchBucket', { more: { BucketName: name } });
  await uploadsBucket(db, caller.workspace.id);
  const [made] = await find();
  if (!made) throw new S3Error('NoSuchBucket', { more: { BucketName: name } });
  return made;
}
