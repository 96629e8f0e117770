import { Readable } from 'node:stream';
import type { ByteRange, StoredObject } from './object-store.ts';
import type { S3Bucket } from './s3-bucket.ts';

export async function putObject({ ask, name }: S3Bucket, key: string, bytes: Buffer): Promise<void> {
  await ask((s3) => s3.putObject({ Bucket: name, Key: key, Body: bytes }));
}

/** Opens an object; undefined where there is none. */
export async function readObject(
  { askFor, name }: S3Bucket,
  key: string,
  range?: ByteRange,
): Promise<Readable | undefined> {
  const found = await askFor((s3) =>
    s3.getObject({ Bucket: name, Key: key, ...(range && { Range: `bytes=${range.start}-${range.end}` }) }),
  );
  if (!found) return undefined;
  return found.Body instanceof Readable ? found.Body : Readable.from([]);
}

export async function findObject(bucket: S3Bucket, key: string): Promise<StoredObject | undefined> {
  const { askFor, name } = bucket;
  const found = await askFor((s3) => s3.headObject({ Bucket: name, Key: key }));
  if (found) return objectOf({ ...found, Key: key, Size: found.ContentLength });
  // An answer without a body cannot tell whether it is the object that is missing, or the bucket.
  (await readObject(bucket, key))?.destroy();
  return undefined;
}

/** Deletes an object; one that is not there is fine. */
export async function deleteObject({ ask, name }: S3Bucket, key: string): Promise<void> {
  await ask((s3) => s3.deleteObject({ Bucket: name, Key: key }));
}

/** Every object whose key begins with `prefix`. */
export async function* listObjects({ ask, name }: S3Bucket, prefix: string): AsyncGenerator<StoredObject> {
  let next: string | undefined;
  do {
    const page = await ask((s3) =>
      s3.listObjectsV2({ Bucket: name, Prefix: prefix, ...(next && { ContinuationToken: next }) }),
    );
    for (const found of page.Contents ?? []) yield objectOf(found);
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next);
}

function objectOf(found: {
  Key?: string | undefined;
  Size?: number | undefined;
  LastModified?: Date | undefined;
}): StoredObject {
  return { key: found.Key ?? '', size: found.Size ?? 0, storedAt: found.LastModified ?? new Date() };
}
