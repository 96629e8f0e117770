import { createHash, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Sha256 } from '@aws-sdk/checksums/sha';
import { CreateBucketCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { createWorld, type Person, type World } from '../world.ts';
import { type Credentials, clientFor, keyFor } from './s3-world.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface RawRequest {
  method?: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
}

/** What the cases of the table are run with: two people, and clients with keys of the first. */
export interface S3World {
  world: World;
  ada: Person;
  credentials: Credentials;
  s3: S3Client;
  /** With a key that only reads. */
  reader: S3Client;
  /** Somebody else's. */
  bob: S3Client;
  /** A bucket that is made for the case, with objects whose bytes are their keys. */
  bucket(keys?: readonly string[]): Promise<string>;
  /** The same without bytes, for lists. */
  rows(keys: readonly string[]): Promise<string>;
  /** Sends what a client would, without any. */
  raw(request: RawRequest): Promise<RawAnswer>;
  /** Signs with AWS's own signer, and sends; `change` comes after that. */
  signed(request: RawRequest, options?: SignOptions): Promise<RawAnswer>;
  /** A signed address, as path and query. */
  presigned(request: RawRequest, options?: SignOptions & { expiresIn?: number }): Promise<string>;
  close(): Promise<void>;
}

interface SignOptions {
  credentials?: Credentials;
  at?: Date;
  change?: (headers: Record<string, string>) => void;
}

const EMPTY = createHash('sha256').digest('hex');

export async function createS3World(): Promise<S3World> {
  // Running, since what is replaced is deleted by a job.
  const world = await createWorld({ running: true });
  const ada = await world.as('Ada');
  const bob = await world.as('Bob');
  const credentials = await keyFor(ada);
  const s3 = clientFor(world, credentials);
  const { hostname, port, host } = new URL(world.url);
  let made = 0;

  const raw: S3World['raw'] = ({ method = 'GET', path, query = {}, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const search = new URLSearchParams(query).toString();
      const sent = httpRequest(
        {
          hostname,
          port,
          method,
          path: search === '' ? path : `${path}?${search}`,
          headers: { host, ...headers },
        },
        async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk);
          resolve({
            ...{ status: answer.statusCode ?? 0, headers: answer.headers },
            text: Buffer.concat(chunks).toString(),
          });
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });

  function signerOf(own: Credentials) {
    return new SignatureV4({
      ...{ service: 's3', region: 'us-east-1', credentials: own, uriEscapePath: false, applyChecksum: false },
      sha256: Sha256,
    });
  }

  const toSign = ({ method = 'GET', path, query = {}, headers = {} }: RawRequest) => ({
    ...{ method, protocol: 'http:', hostname, port: Number(port), path, query },
    headers: { host, ...headers },
  });

  async function bucket(keys: readonly string[] = []): Promise<string> {
    made += 1;
    const Bucket = `case-${made}`;
    await s3.send(new CreateBucketCommand({ Bucket }));
    await Promise.all(keys.map((Key) => s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))));
    return Bucket;
  }

  return {
    ...{ world, ada, credentials, s3, raw },
    reader: clientFor(world, await keyFor(ada, { access: 'read' })),
    bob: clientFor(world, await keyFor(bob)),
    bucket,
    async rows(keys) {
      const name = await bucket();
      const { db } = world.deps;
      const { id, ownerId } = await db
        .selectFrom('buckets')
        .select(['id', 'ownerId'])
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      const content = { fileSize: 1, mimeType: 'text/plain', isPublic: false, sha256: '0'.repeat(64) };
      await db
        .insertInto('storedFiles')
        .values(
          keys.map((key) => ({
            ...{ ...content, ownerId, bucketId: id, key, fileName: key, filePath: '/' },
            objectKey: `files/${randomUUID()}`,
          })),
        )
        .execute();
      return name;
    },
    async signed(request, { credentials: own = credentials, at = new Date(), change } = {}) {
      const payload =
        request.body === undefined ? EMPTY : createHash('sha256').update(request.body).digest('hex');
      const { headers } = await signerOf(own).sign(
        toSign({ ...request, headers: { 'x-amz-content-sha256': payload, ...request.headers } }),
        { signingDate: at },
      );
      change?.(headers);
      return raw({ ...request, headers });
    },
    async presigned(request, { credentials: own = credentials, at = new Date(), expiresIn = 60 } = {}) {
      const { path, query = {} } = await signerOf(own).presign(
        toSign({ ...request, headers: { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }),
        {
          ...{ signingDate: at, expiresIn, unsignableHeaders: new Set(['content-type']) },
        },
      );
      return `${path}?${new URLSearchParams(query as Record<string, string>)}`;
    },
    close: () => world.close(),
  };
}
