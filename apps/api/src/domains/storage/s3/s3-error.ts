import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../../../http/describe-error.ts';
import { noteRefusal } from '../../../http/refusal-log.ts';
import { sendXml } from './xml.ts';

/** What S3 calls its refusals (its API reference, "Error responses"), with their status and what they say by themselves. */
const CODES = {
  AccessDenied: [403, 'Access denied.'],
  AuthorizationHeaderMalformed: [400, "The Authorization header can't be read."],
  AuthorizationQueryParametersError: [400, "The signature in the address can't be read."],
  BadDigest: [400, "The bytes don't match the checksum that came with them."],
  BadRequest: [400, 'The request is malformed.'],
  BucketAlreadyExists: [409, 'This name is taken. Bucket names are unique on this server.'],
  BucketAlreadyOwnedByYou: [409, 'You already have a bucket of this name.'],
  BucketNotEmpty: [409, 'The bucket is not empty.'],
  ConditionalRequestConflict: [409, 'Another write to this key was faster. Try again.'],
  EntityTooLarge: [400, 'The object is larger than one upload can be. Upload it in parts.'],
  EntityTooSmall: [400, 'Each part but the last has to have at least 5 MiB.'],
  IncompleteBody: [400, "The body doesn't have the announced length."],
  InternalError: [500, 'Something went wrong.'],
  InvalidAccessKeyId: [403, 'There is no such access key.'],
  InvalidArgument: [400, 'An argument is invalid.'],
  InvalidBucketName: [400, 'This is no name for a bucket.'],
  InvalidDigest: [400, 'The Content-MD5 header is not an MD5 in base64.'],
  InvalidPart: [400, "A part is missing, or its ETag isn't the one that was given."],
  InvalidPartOrder: [400, 'The parts have to be in the order of their numbers.'],
  InvalidPartNumber: [416, 'There is no such part.'],
  InvalidRange: [416, "The requested range isn't available."],
  InvalidRequest: [400, 'The request is invalid.'],
  InvalidStorageClass: [400, 'There is one storage class, STANDARD.'],
  InvalidTag: [400, 'A tag is invalid.'],
  InvalidURI: [400, "The address can't be read."],
  KeyTooLongError: [400, 'A key can have at most 1,024 bytes.'],
  MalformedPolicy: [400, 'The policy is no JSON with statements.'],
  MalformedXML: [400, "The XML isn't what this call takes."],
  MetadataTooLarge: [400, 'Metadata can have at most 2 KB.'],
  MethodNotAllowed: [405, "This method isn't allowed here."],
  MissingContentLength: [411, 'Say how long the body is.'],
  NoSuchBucket: [404, 'There is no such bucket.'],
  NoSuchBucketPolicy: [404, 'The bucket has no policy: it is private.'],
  NoSuchCORSConfiguration: [404, 'The bucket has no CORS rules.'],
  NoSuchLifecycleConfiguration: [404, 'The bucket has no lifecycle rules.'],
  NoSuchUpload: [404, 'There is no such upload. It was finished or given up.'],
  NoSuchVersion: [404, 'There is no such version.'],
  NoSuchKey: [404, 'There is no such object.'],
  NotImplemented: [501, "This server doesn't do that."],
  OperationAborted: [409, 'Another write was faster. Try again.'],
  PreconditionFailed: [412, 'A condition of the request does not hold.'],
  QuotaExceeded: [403, 'There is no room for this.'],
  RequestTimeTooSkewed: [403, 'The clocks of this server and of the client are more than 15 minutes apart.'],
  ServiceUnavailable: [503, 'Service temporarily unavailable. Try again in a moment.'],
  SignatureDoesNotMatch: [403, "The signature doesn't match the request. Check the secret access key."],
  SlowDown: [503, 'Too many requests. Try again later.'],
  TooManyBuckets: [400, 'There are too many buckets. Delete one first.'],
  XAmzContentSHA256Mismatch: [400, "The bytes don't match the header x-amz-content-sha256."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3Code = keyof typeof CODES;

interface Details {
  message?: string;
  headers?: Record<string, string>;
  /** Further elements of the answer, by name. */
  more?: Record<string, string>;
}

/** A refusal in S3's own form. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: S3Code;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly more: Record<string, string>;

  constructor(code: S3Code, { message, headers = {}, more = {} }: Details = {}) {
    const [status, usual] = CODES[code];
    super(message ?? usual);
    this.code = code;
    this.status = status;
    this.headers = headers;
    this.more = more;
  }
}

/** A refusal by an argument, which the answer names. */
export function badArgument(ArgumentName: string, message: string): S3Error {
  return new S3Error('InvalidArgument', { message, more: { ArgumentName } });
}

/** By the reasons of the house's own refusals, and for the rest by their status. */
const BY_REASON: Readonly<Record<string, S3Code>> = {
  ...{ QUOTA_EXCEEDED: 'QuotaExceeded', RATE_LIMITED: 'SlowDown', UNAVAILABLE: 'ServiceUnavailable' },
  ...{ NO_SUCH_UPLOAD: 'NoSuchUpload', INVALID_PART: 'InvalidPart', INVALID_PART_ORDER: 'InvalidPartOrder' },
  ...{ PART_TOO_SMALL: 'EntityTooSmall', FILE_TOO_LARGE: 'EntityTooLarge' },
  ...{ STORAGE_FULL: 'ServiceUnavailable', BUCKET_NOT_EMPTY: 'BucketNotEmpty', LIMIT: 'TooManyBuckets' },
};
const BY_STATUS: Readonly<Record<number, S3Code>> = {
  ...{
    400: 'BadRequest',
    403: 'AccessDenied',
    404: 'NoSuchBucket',
    409: 'OperationAborted',
    412: 'PreconditionFailed',
  },
  ...{ 413: 'EntityTooLarge', 500: 'InternalError', 503: 'ServiceUnavailable' },
};

/** Whatever was thrown, in S3's form; a fault of ours tells nothing. */
function s3ErrorOf(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const { status, reason, message, retryAfter } = describeError(error);
  return new S3Error(BY_REASON[reason] ?? BY_STATUS[status] ?? 'InvalidRequest', {
    message,
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  });
}

/** Headers that say something of an object, and not of a refusal in its place. */
const OF_OBJECT = (
  'content-length etag last-modified accept-ranges content-range content-encoding content-disposition ' +
  'content-language cache-control expires connection'
).split(' ');

/** Answers whatever was thrown as S3 does. */
export function sendS3Error(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const { code, status, message, headers, more } = s3ErrorOf(thrown);
  if (status === 500) request.log.error({ err: thrown }, 'request failed');
  noteRefusal(request, thrown);
  for (const name of OF_OBJECT) reply.removeHeader(name);
  reply.code(status).headers(headers);
  if (request.method === 'HEAD') return reply.header('x-amz-error-code', code).send();
  const [Resource = ''] = (request.raw.url ?? '').split('?');
  return sendXml(reply, 'Error', { Code: code, Message: message, ...more, Resource, RequestId: request.id });
}
