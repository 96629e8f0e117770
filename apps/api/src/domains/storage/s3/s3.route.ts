import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { leaveBodies } from '../../../http/raw-body.ts';
import { clientAt } from '../../../platform/client-address.ts';
import { type Address, readAddress } from './address.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import { findBucket } from './find-bucket.ts';
import { findCall } from './find-call.ts';
import { isHeaderValue } from './object-headers.ts';
import { type BucketRow, type CallRow, headerOf, opens, type S3Call, type S3Parts } from './s3-call.ts';
import { identifyCaller } from './s3-caller.ts';
import { S3_ONLY } from './s3-door.ts';
import { badArgument, S3Error, sendS3Error } from './s3-error.ts';
import { readClaim } from './signature.ts';

/** Calls of one workspace in a minute: a client of many small files makes hundreds in a second. */
const CALLS_PER_MINUTE = 60_000;
/** Calls without a signature, of one address. */
const ANYONES_PER_MINUTE = 3000;
/** Signatures that did not hold, of one address. */
const WRONG_PER_MINUTE = 120;

const WRONG: ReadonlySet<string> = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch']);

type Who = Pick<S3Call, 'caller' | 'signed'>;

function countAnyone({ callCounts }: S3Parts, { ip }: FastifyRequest): Promise<void> {
  return callCounts.count({ key: `s3-signed-out:${clientAt(ip)}`, calls: ANYONES_PER_MINUTE, seconds: 60 });
}

/** Who calls; a signature that does not hold is counted. */
async function identify(parts: S3Parts, request: FastifyRequest, address: Address): Promise<Who> {
  const client = clientAt(request.ip);
  const claim = readClaim(request.raw, address);
  if (!claim) {
    await countAnyone(parts, request);
    // At the console's own host what anybody can read has other addresses.
    if (!address.isOwnHost) throw new S3Error('AccessDenied');
    return { caller: null, signed: null };
  }
  try {
    const { caller, signer } = await identifyCaller(parts, request.raw, address, claim);
    await parts.callCounts.count({ key: `s3:${caller.workspace.id}`, calls: CALLS_PER_MINUTE, seconds: 60 });
    return { caller, signed: { payload: claim.payload, signer } };
  } catch (error) {
    if (error instanceof S3Error && WRONG.has(error.code)) {
      await parts.callCounts.count({ key: `s3-wrong:${client}`, calls: WRONG_PER_MINUTE, seconds: 60 });
    }
    throw error;
  }
}

/** Headers that ask for what is not done here; left out, bytes would be kept otherwise than was asked. */
const NOT_DONE =
  /^x-amz-(server-side-encryption(?!$)|object-lock-|grant-|website-redirect-location|write-offset-bytes|copy-source-server-side|if-match-)/;

function assertHeaders(call: S3Call): void {
  const refused = Object.keys(call.request.headers).find((name) => NOT_DONE.test(name));
  const encryption = headerOf(call, 'x-amz-server-side-encryption');
  if (refused !== undefined || encryption !== undefined) {
    const name = refused ?? 'x-amz-server-side-encryption';
    throw new S3Error('NotImplemented', {
      message: `This server doesn't do what the header ${name} asks for.`,
    });
  }
  const storageClass = headerOf(call, 'x-amz-storage-class');
  if (storageClass !== undefined && storageClass !== 'STANDARD') throw new S3Error('InvalidStorageClass');
}

function assertExpectedOwner(call: S3Call, { ownerId }: BucketRow): void {
  const expected = headerOf(call, 'x-amz-expected-bucket-owner');
  if (expected !== undefined && expected !== ownerId) throw new S3Error('AccessDenied');
}

async function dispatch(call: S3Call, row: CallRow): Promise<FastifyReply> {
  const { parts, address, caller } = call;
  const isForAnyone = 'isForAnyone' in row;
  if (!caller && !isForAnyone) throw new S3Error('AccessDenied');
  if (caller && row.access === 'write' && !caller.mayWrite) {
    throw new S3Error('AccessDenied', { message: 'This access key, or its person, can only read.' });
  }
  if (row.level === 'account' || row.level === 'bucket-name') {
    if (!caller) throw new S3Error('AccessDenied');
    return row.answer({ ...call, caller });
  }
  const bucket = await findBucket(parts, address.bucket, caller);
  assertExpectedOwner(call, bucket);
  if (opens(caller, bucket)) return row.answer({ ...call, bucket, caller });
  // What anybody may read, so may who signs with a key for something else.
  if (isForAnyone) return row.answer({ ...call, bucket, caller: null });
  throw new S3Error('AccessDenied');
}

/** What the signature itself is made of; all else that begins so stands for a header. */
const OF_SIGNATURE =
  /^x-amz-(?:algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256)$/;

const HEADER = /^[\w.-]+$/;

/**
 * Reads as headers what a signed address says in their place, as clients that make addresses have it: what it copies,
 * who may read it, its metadata. Throws InvalidArgument.
 */
function takeHoistedHeaders({ headers }: FastifyRequest, query: URLSearchParams): void {
  for (const [key, value] of query) {
    const name = key.toLowerCase();
    if (!name.startsWith('x-amz-') || OF_SIGNATURE.test(name)) continue;
    // Some are sent again with the object.
    if (!HEADER.test(name) || !isHeaderValue(value)) throw badArgument(key, 'This is no header.');
    headers[name] ??= value;
  }
}

async function answer(parts: S3Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const address = readAddress(parts.settings, request.raw);
  if (request.method === 'OPTIONS') {
    await countAnyone(parts, request);
    return answerPreflight(parts, request, reply, address);
  }
  await allowOrigin(parts, request, reply, address);
  const who = await identify(parts, request, address);
  const call: S3Call = { parts, request, reply, address, ...who };
  const { bucket, key, query } = address;
  if (who.caller && query.has('X-Amz-Signature')) takeHoistedHeaders(request, query);
  assertHeaders(call);
  const level = bucket === '' ? 'account' : key === '' ? 'bucket' : 'object';
  const copies = request.headers['x-amz-copy-source'] !== undefined;
  return dispatch(call, findCall({ method: request.method, level, query, copies }));
}

/** What S3 clients speak, by path and by host name. Register it in a scope of its own: bodies are streams here. */
export function addS3(app: FastifyInstance, parts: S3Parts): void {
  leaveBodies(app);
  app.setErrorHandler((error, request, reply) => sendS3Error(request, reply, error));
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-amz-request-id', request.id);
    // Its signature may be all that an address says, so no other site is told of it.
    reply.header('referrer-policy', 'no-referrer');
  });
  // None gets what the console says of an address that is not there.
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of methods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  app.route({
    method: methods,
    url: '/*',
    constraints: S3_ONLY,
    exposeHeadRoute: false,
    config: { anyBody: true, anyOrigin: true },
    handler: (request, reply) => answer(parts, request, reply),
  });
}
