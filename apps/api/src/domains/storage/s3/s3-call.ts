import type { Database } from '@nephos/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Doer } from '../../../platform/audit.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { BytesDeletion } from '../file-bytes.ts';
import type { Address } from './address.ts';
import { parseXml } from './parse-xml.ts';
import { type Payload, type PayloadOptions, payloadOf, readText, type Signed } from './payload.ts';
import type { S3Caller } from './s3-caller.ts';
import { S3Error } from './s3-error.ts';

export type S3Parts = Pick<Platform, 'settings' | 'db' | 'objects' | 'secrets' | 'callCounts' | 'log'> & {
  deletion: BytesDeletion;
};

export type BucketRow = Selectable<Database['buckets']>;

/** One request of an S3 client, whose signature holds. */
export interface S3Call {
  parts: S3Parts;
  request: FastifyRequest;
  reply: FastifyReply;
  address: Address;
  signed: Signed;
  /** Null for anybody. */
  caller: S3Caller | null;
}

/** One about a bucket that is there and that the caller may use so. */
export interface BucketCall extends S3Call {
  bucket: BucketRow;
}

/** One in somebody's name. */
type OwnCall<Call extends S3Call> = Call & { caller: S3Caller };

interface Row {
  /** As S3's API reference calls it. */
  name: string;
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** What the query has; absent: nothing that names another call. */
  query?: string;
  /** Where a call is another one if the request copies. */
  copies?: true;
  access: 'read' | 'write';
  /** Whether it knows of `versionId`. */
  knowsVersions?: true;
}

/** A call, and who answers it: the table has one for each. */
export type CallRow = Row &
  (
    | { level: 'account'; answer(call: OwnCall<S3Call>): Promise<FastifyReply> }
    /** About the name of a bucket, whether there is one or not. */
    | { level: 'bucket-name'; answer(call: OwnCall<S3Call>): Promise<FastifyReply> }
    | { level: 'bucket' | 'object'; answer(call: OwnCall<BucketCall>): Promise<FastifyReply> }
    /** Answered to anybody where the object or its bucket is public: `caller` may be null, and the object has to be judged. */
    | { level: 'object'; isForAnyone: true; answer(call: BucketCall): Promise<FastifyReply> }
  );

/** Bytes of a key. */
export const MAX_KEY_BYTES = 1024;
/** 5 GiB: bytes of one upload. */
export const MAX_UPLOAD = 5 * 1024 ** 3;
/** Bytes of the longest document that a call takes: 10,000 parts with their checksums. */
const MAX_XML = 4 * 1024 * 1024;
/** Bytes of what is set of a bucket: S3's bound for who may call from elsewhere. */
export const MAX_SETTINGS = 64 * 1024;

/** The body, of as many bytes as one upload can have. */
export function uploadOf(
  { request, signed }: S3Call,
  { algorithm }: Pick<PayloadOptions, 'algorithm'> = {},
): Payload {
  return payloadOf(request, signed, { limit: MAX_UPLOAD, algorithm });
}

/** The text that a request brings. */
export function bodyOf({ request, signed }: S3Call, options: PayloadOptions): Promise<string> {
  return readText(payloadOf(request, signed, options));
}

/** The document that a request brings. Throws MalformedXML. */
export async function documentOf<T>(
  call: S3Call,
  root: string,
  shape: z.ZodType<T>,
  options: Partial<PayloadOptions> = {},
): Promise<T> {
  return parseXml(await bodyOf(call, { limit: MAX_XML, ...options }), root, shape);
}

/** A header as one text; undefined where there is none. */
export function headerOf({ request }: Pick<S3Call, 'request'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** The call's key. Throws KeyTooLongError. */
export function keyOf({ address: { key } }: Pick<S3Call, 'address'>): string {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError');
  // PostgreSQL keeps no text with it.
  if (key.includes('\0')) throw new S3Error('InvalidURI');
  return key;
}

/** By whom something is changed, for the record of that. */
export function doerOf({ caller, request }: Pick<S3Call, 'caller' | 'request'>): Doer {
  return {
    ...{ actor: caller?.person ?? null, via: 'token', tokenName: caller?.key.name ?? null },
    ...{ ip: request.ip, requestId: request.id },
  };
}

/** Whether a key may use a bucket: its workspace's, and the one that it is for. */
export function opens(caller: S3Caller | null, { id, ownerId }: BucketRow): caller is S3Caller {
  return caller?.workspace.id === ownerId && (caller.key.bucketId === null || caller.key.bucketId === id);
}
