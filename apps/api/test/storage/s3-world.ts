import { Agent } from 'node:http';
import {
  HeadObjectCommand,
  S3Client,
  type S3ClientConfig,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { Person, World } from '../world.ts';

/** A pair of keys, as S3 clients have them. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

interface KeyOptions {
  access?: 'read' | 'write';
  bucketId?: string;
}

export async function keyFor(
  { rpc }: Pick<Person, 'rpc'>,
  { access = 'write', bucketId }: KeyOptions = {},
): Promise<Credentials> {
  const { id, secretAccessKey } = await rpc.buckets.createKey.mutate({
    ...{ name: 'Test', access },
    ...(bucketId !== undefined && { bucketId }),
  });
  return { accessKeyId: id, secretAccessKey };
}

/** Finds every host on this machine, as a name server would the hosts of buckets. */
const agent = new Agent({
  keepAlive: true,
  lookup(_host, { all }, done) {
    if (all) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(null, '127.0.0.1', 4);
  },
});

/** AWS's own client, which addresses by path unless it is told otherwise, and tries once. */
export function clientFor(
  { url }: Pick<World, 'url'>,
  credentials: Credentials,
  more: S3ClientConfig = {},
): S3Client {
  return new S3Client({
    ...{ endpoint: url, region: 'us-east-1', credentials, forcePathStyle: true, maxAttempts: 1 },
    requestHandler: { httpAgent: agent },
    ...more,
  });
}

/** What a client is told of an object, by its bucket and key. */
export function headOf(world: Pick<World, 'url'>, credentials: Credentials, path: string) {
  const [Bucket = '', ...key] = path.split('/');
  return clientFor(world, credentials).send(new HeadObjectCommand({ Bucket, Key: key.join('/') }));
}

/** Expects a call to be refused with S3's own code. */
export async function expectRefusal(call: Promise<unknown>, code: string, status: number): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown: S3ServiceException) => thrown,
  );
  expect({
    code: error?.name,
    status: error?.$metadata?.httpStatusCode,
    message: error?.message,
  }).toMatchObject({
    code,
    status,
  });
}
