import { createHash } from 'node:crypto';
import type { StoredChecksum } from '@nephos/db';
import type { FastifyRequest } from 'fastify';
import { readBody } from '../../../http/raw-body.ts';
import type { Bytes } from '../../../platform/object-store/object-store.ts';
import {
  algorithmOf,
  assertChecksum,
  type ChecksumAlgorithm,
  checksumIn,
  createChecksum,
  type NamedChecksum,
} from './checksums.ts';
import { CHUNKINGS, readChunks } from './chunked-body.ts';
import { S3Error } from './s3-error.ts';
import { type Signer, UNSIGNED } from './signature.ts';

/** What is known of a body once it was read to its end and found to be what the client signed and said. */
interface Received {
  /** Bytes. */
  size: number;
  /** In hex. */
  md5: string;
  /** What the client sent, or what was to be computed; null where that is neither. */
  checksum: NamedChecksum | null;
}

/** The body of a request, for one reader. */
export interface Payload {
  /** Bytes; undefined where nobody says. */
  length: number | undefined;
  /** Throws at its end, at the latest, where it is not what the client signed and said. */
  bytes: Bytes;
  /** Once `bytes` was read to its end. */
  received(): Received;
}

/** How the request was signed; null for nobody's. */
export type Signed = { payload: string; signer: Signer } | null;

function numberIn(request: FastifyRequest, header: string): number | undefined {
  const value = request.headers[header];
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The algorithm of a checksum that comes behind the body. */
function announcedTrailer({ headers }: FastifyRequest): ChecksumAlgorithm | undefined {
  const announced = headers['x-amz-trailer'];
  if (typeof announced !== 'string') return undefined;
  const algorithm = algorithmOf(announced.trim());
  if (!algorithm) throw new S3Error('InvalidRequest', { message: 'The trailer can only be a checksum.' });
  return algorithm;
}

function md5In({ headers }: FastifyRequest): string | undefined {
  const header = headers['content-md5'];
  if (header === undefined) return undefined;
  const bytes = Buffer.from(String(header), 'base64');
  if (bytes.length !== 16) throw new S3Error('InvalidDigest');
  return bytes.toString('hex');
}

export interface PayloadOptions {
  /** Bytes at most. */
  limit: number;
  /** Whether a checksum among the headers is one of something else. */
  isOfOther?: boolean | undefined;
  /** The algorithm of the checksum that is computed where the client sends none; it may send no other. */
  algorithm?: ChecksumAlgorithm | undefined;
}

/** Prepares to read a body. Throws where what is said of it cannot be. */
export function payloadOf(
  request: FastifyRequest,
  signed: Signed,
  { limit, isOfOther = false, algorithm: wanted }: PayloadOptions,
): Payload {
  const word = signed?.payload ?? UNSIGNED;
  const chunking = CHUNKINGS[word];
  if (word.startsWith('STREAMING-') && !chunking) {
    throw new S3Error('NotImplemented', { message: `This server doesn't take bodies by ${word}.` });
  }
  const tooLarge = () => new S3Error('EntityTooLarge', { more: { MaxSizeAllowed: String(limit) } });
  const length = numberIn(request, chunking ? 'x-amz-decoded-content-length' : 'content-length');
  if (length !== undefined && length > limit) throw tooLarge();
  const said = isOfOther ? undefined : checksumIn(request.headers);
  const sent = said?.algorithm ?? (chunking?.hasTrailer ? announcedTrailer(request) : undefined);
  if (wanted && sent && sent !== wanted) {
    throw new S3Error('InvalidRequest', {
      message: `The upload was begun with ${wanted}, not with ${sent}.`,
    });
  }
  const algorithm = sent ?? wanted;
  const expected = { word, length, md5: md5In(request) };
  const trailer = new Map<string, string>();
  // The frame of a chunk is shorter than the smallest that clients send.
  const raw = readBody(request, chunking ? 2 * limit : limit, tooLarge);
  const body = chunking
    ? readChunks(raw, { ...chunking, signer: chunking.isSigned ? signed?.signer : undefined }, trailer)
    : raw;
  let received: Received | undefined;

  async function* checked(): AsyncGenerator<Uint8Array> {
    const md5 = createHash('md5');
    const sha256 = chunking || word === UNSIGNED ? undefined : createHash('sha256');
    const running = algorithm && (await createChecksum(algorithm));
    let size = 0;
    for await (const bytes of body) {
      size += bytes.length;
      if (size > limit) throw tooLarge();
      md5.update(bytes);
      sha256?.update(bytes);
      running?.update(bytes);
      yield bytes;
    }
    if (length !== undefined && size !== length) throw new S3Error('IncompleteBody');
    if (sha256 && sha256.digest('hex') !== expected.word) throw new S3Error('XAmzContentSHA256Mismatch');
    const hex = md5.digest('hex');
    if (expected.md5 !== undefined && expected.md5 !== hex) throw new S3Error('BadDigest');
    const value = await running?.digest();
    const given = sent ? (said ?? checksumOf(trailer, sent)) : undefined;
    const checksum = given ?? (algorithm && value !== undefined ? { algorithm, value } : null);
    if (checksum && value !== checksum.value) {
      throw new S3Error('BadDigest', {
        message: `The bytes don't match the ${checksum.algorithm} that came with them.`,
      });
    }
    received = { size, md5: hex, checksum };
  }

  return {
    length,
    bytes: checked(),
    received() {
      if (!received) throw new Error('The body was not read to its end.');
      return received;
    },
  };
}

function checksumOf(trailer: ReadonlyMap<string, string>, algorithm: ChecksumAlgorithm): NamedChecksum {
  const [, value = ''] = [...trailer].find(([name]) => algorithmOf(name) === algorithm) ?? [];
  const checksum = { algorithm, value };
  assertChecksum(checksum);
  return checksum;
}

/** A checksum as it is stored with an object that came in one upload. */
export function storedChecksum(checksum: NamedChecksum | null): StoredChecksum | null {
  return checksum && { ...checksum, type: 'FULL_OBJECT' };
}

/** A body that is a text, in memory. */
export async function readText(payload: Payload): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const bytes of payload.bytes) pieces.push(Buffer.from(bytes));
  return Buffer.concat(pieces).toString('utf8');
}
