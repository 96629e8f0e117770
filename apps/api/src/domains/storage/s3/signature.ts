import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Address } from './address.ts';
import { badArgument, S3Error } from './s3-error.ts';

/** Signature Version 4 of AWS, in headers and in addresses ("Authenticating Requests", S3's API reference). */
const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Milliseconds by which the clocks may differ. */
const SKEW = 15 * 60 * 1000;
/** Seconds for which an address can be good. */
const LONGEST = 7 * 24 * 60 * 60;
const DIGEST = /^[0-9a-f]{64}$/;
export const UNSIGNED = 'UNSIGNED-PAYLOAD';

type Message = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>;

/** What a request says of who signed it, and what they signed; not yet looked at. */
export interface Claim {
  keyId: string;
  /** `<yyyymmdd>/<region>/s3/aws4_request`. */
  scope: string;
  /** As it is signed: `yyyymmddThhmmssZ`. */
  time: string;
  /** Names, lower case. */
  signedHeaders: readonly string[];
  signature: string;
  /** Of a signed address: seconds. */
  expires: number | null;
  /** What is signed in the place of the body: its digest, or how that comes. */
  payload: string;
}

/** What proves each piece of a body that is signed piece by piece. */
export interface Signer {
  /** Signature of the request itself, with which the first piece's is made. */
  seed: string;
  /** Of one more text; `kind` is the algorithm's suffix. */
  sign(kind: 'PAYLOAD' | 'TRAILER', previous: string, digests: readonly string[]): string;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** What the request is signed with; null where it is not. Throws where that cannot be read. */
export function readClaim({ headers }: Message, { query }: Pick<Address, 'query'>): Claim | null {
  const { authorization } = headers;
  const isInQuery = query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature');
  if (isInQuery && authorization !== undefined) {
    throw new S3Error('InvalidArgument', { message: 'Sign either in a header or in the address.' });
  }
  if (isInQuery) return claimOfQuery(query, headers);
  if (authorization !== undefined) return claimOfHeader(authorization, headers);
  if (query.has('AWSAccessKeyId')) throw unsupported();
  return null;
}

function unsupported(): S3Error {
  const remedy = 'With AWS CLI 1, first run "aws configure set default.s3.signature_version s3v4".';
  return new S3Error('InvalidRequest', {
    message: `Sign with Signature Version 4 (${ALGORITHM}). ${remedy}`,
  });
}

function claimOfHeader(authorization: string, headers: Message['headers']): Claim {
  const [, fields = ''] = new RegExp(`^${ALGORITHM} +(.*)$`, 's').exec(authorization) ?? [];
  if (fields === '') throw unsupported();
  const named = new Map(
    fields.split(',').map((field) => {
      const [name = '', value = ''] = field.trim().split(/=(.*)/s);
      return [name, value];
    }),
  );
  const payload = textOf(headers['x-amz-content-sha256']);
  if (payload === undefined) {
    throw new S3Error('InvalidRequest', { message: 'The header x-amz-content-sha256 is required.' });
  }
  return {
    ...credentialOf(named.get('Credential'), 'AuthorizationHeaderMalformed'),
    time: timeOf(headers),
    signedHeaders: namesOf(named.get('SignedHeaders'), 'AuthorizationHeaderMalformed'),
    signature: named.get('Signature') ?? '',
    expires: null,
    payload,
  };
}

function claimOfQuery(query: URLSearchParams, headers: Message['headers']): Claim {
  const malformed = 'AuthorizationQueryParametersError';
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) {
    throw new S3Error(malformed, { message: `X-Amz-Algorithm has to be ${ALGORITHM}.` });
  }
  const expires = query.get('X-Amz-Expires') ?? '';
  if (!/^\d{1,9}$/.test(expires) || Number(expires) > LONGEST || Number(expires) < 1) {
    throw new S3Error(malformed, { message: `X-Amz-Expires has to be 1 to ${LONGEST} seconds.` });
  }
  return {
    ...credentialOf(query.get('X-Amz-Credential') ?? undefined, malformed),
    time: query.get('X-Amz-Date') ?? '',
    signedHeaders: namesOf(query.get('X-Amz-SignedHeaders') ?? undefined, malformed),
    signature: query.get('X-Amz-Signature') ?? '',
    expires: Number(expires),
    payload: query.get('X-Amz-Content-Sha256') ?? textOf(headers['x-amz-content-sha256']) ?? UNSIGNED,
  };
}

type Malformed = 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError';

function credentialOf(credential: string | undefined, malformed: Malformed): Pick<Claim, 'keyId' | 'scope'> {
  const [, keyId = '', scope = ''] =
    /^([\w+=,.@-]{1,128})\/(\d{8}\/[\w-]{1,64}\/s3\/aws4_request)$/.exec(credential ?? '') ?? [];
  if (keyId === '') {
    throw new S3Error(malformed, {
      message: 'The credential has to be <access key>/<yyyymmdd>/<region>/s3/aws4_request.',
    });
  }
  return { keyId, scope };
}

function namesOf(names: string | undefined, malformed: Malformed): string[] {
  const list = (names ?? '').toLowerCase().split(';');
  if (!list.includes('host')) throw new S3Error(malformed, { message: 'The header host has to be signed.' });
  return list;
}

/** The time that a request is signed with, where that is in its headers. */
function timeOf(headers: Message['headers']): string {
  const given = textOf(headers['x-amz-date']);
  if (given !== undefined) return given;
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? '' : new Date(date).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Milliseconds since the epoch of `yyyymmddThhmmssZ`; NaN for what is none. */
function millisecondsOf(time: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const [year = Number.NaN, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

/** Throws where a claim is not, or no longer, good at `now`. */
export function assertTimely({ time, scope, expires }: Claim, now: Date): void {
  const signedAt = millisecondsOf(time);
  if (Number.isNaN(signedAt) || !scope.startsWith(time.slice(0, 8))) {
    throw new S3Error('AccessDenied', {
      message: 'The signature needs a valid date, the one of its credential.',
    });
  }
  const age = now.getTime() - signedAt;
  if (expires === null) {
    if (Math.abs(age) > SKEW)
      throw new S3Error('RequestTimeTooSkewed', { more: { ServerTime: now.toISOString() } });
    return;
  }
  if (age < -SKEW) throw new S3Error('AccessDenied', { message: "This address isn't good yet." });
  if (age > expires * 1000) throw new S3Error('AccessDenied', { message: 'This address has expired.' });
}

/** As RFC 3986 has it: all but letters, digits and `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/');
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map((pair) => pair.join('='))
    .join('&');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The values of a header as they came, which Node may have joined otherwise. */
function rawValueOf(rawHeaders: readonly string[], name: string): string {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name)
      values.push((rawHeaders[at + 1] ?? '').replace(/ +/g, ' ').replace(/^ | $/g, ''));
  }
  return values.join(',');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Of a text whose characters are bytes: those of headers are what a client signs, in whatever they are encoded. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

function signingKeyOf(secret: string, scope: string): Buffer {
  return scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`) as Buffer;
}

/** Whoever could leave a header of ours unsigned could change what a signed request does. */
function assertAllSigned({ headers }: Message, { signedHeaders }: Claim): void {
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    const HeadersNotSigned = unsigned.join(', ');
    throw new S3Error('AccessDenied', {
      message: 'All x-amz- headers have to be signed.',
      more: { HeadersNotSigned },
    });
  }
}

function assertSame(signature: string, expected: Buffer): void {
  const given = Buffer.from(DIGEST.test(signature) ? signature : '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Error('SignatureDoesNotMatch');
  }
}

/** Throws where a request was not signed with this key. Tells nothing of what would have been right. */
export function verifySignature(
  message: Message,
  { path, query }: Pick<Address, 'path' | 'query'>,
  claim: Claim,
  secret: string,
): Signer {
  const { scope, time, signedHeaders, signature, payload } = claim;
  const canonical = [
    message.method ?? '',
    canonicalPath(path),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${rawValueOf(message.rawHeaders, name)}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n');
  const key = signingKeyOf(secret, scope);
  assertSame(signature, hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')));
  assertAllSigned(message, claim);
  return {
    seed: signature,
    sign: (kind, previous, digests) =>
      hmac(key, [`${ALGORITHM}-${kind}`, time, scope, previous, ...digests].join('\n')).toString('hex'),
  };
}

/** Throws InvalidArgument for what stands for a body and is neither its digest nor a way of sending it. */
export function assertPayload(payload: string): void {
  if (DIGEST.test(payload) || payload === UNSIGNED || payload.startsWith('STREAMING-')) return;
  throw badArgument('x-amz-content-sha256', 'x-amz-content-sha256 is neither a digest nor a way of sending.');
}
