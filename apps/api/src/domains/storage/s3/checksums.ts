import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { S3Error } from './s3-error.ts';

/** Checksums that S3 clients send with bytes, and their bytes. */
const ALGORITHMS = { CRC32: 4, CRC32C: 4, CRC64NVME: 8, SHA1: 20, SHA256: 32 } as const;
export type ChecksumAlgorithm = keyof typeof ALGORITHMS;

/** A checksum as it is sent, in base64. */
export interface NamedChecksum {
  algorithm: ChecksumAlgorithm;
  value: string;
}

/** Computes a checksum of what comes in pieces. */
interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** In base64; at the end, once. */
  digest(): Promise<string>;
}

const PREFIX = 'x-amz-checksum-';

/** The header of an algorithm's checksum. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return PREFIX + algorithm.toLowerCase();
}

/** The algorithm whose checksum a header has; undefined for any other header. */
export function algorithmOf(header: string): ChecksumAlgorithm | undefined {
  return algorithms().find((algorithm) => checksumHeader(algorithm) === header.toLowerCase());
}

/** The algorithm of a name, in any case. Throws InvalidRequest. */
export function namedAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = algorithmOf(PREFIX + name);
  if (!algorithm) throw new S3Error('InvalidRequest', { message: 'There is no such checksum algorithm.' });
  return algorithm;
}

function algorithms(): ChecksumAlgorithm[] {
  return Object.keys(ALGORITHMS) as ChecksumAlgorithm[];
}

/** Throws InvalidRequest for what cannot be a checksum of that algorithm. */
export function assertChecksum({ algorithm, value }: NamedChecksum): void {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== ALGORITHMS[algorithm] || bytes.toString('base64') !== value) {
    const message = `The value of ${checksumHeader(algorithm)} is no ${algorithm} in base64.`;
    throw new S3Error('InvalidRequest', { message });
  }
}

/** The checksum among a request's headers; undefined where there is none. Throws InvalidRequest. */
export function checksumIn(headers: IncomingHttpHeaders): NamedChecksum | undefined {
  const checksum = checksumNamed(headers);
  if (checksum) assertChecksum(checksum);
  return checksum;
}

/** The same, whatever its value: that of an object in parts may be a checksum of checksums. */
export function checksumNamed(headers: IncomingHttpHeaders): NamedChecksum | undefined {
  const given = algorithms().flatMap((algorithm) => {
    const value = headers[checksumHeader(algorithm)];
    return typeof value === 'string' ? [{ algorithm, value }] : [];
  });
  if (given.length > 1) throw new S3Error('InvalidRequest', { message: 'Send one checksum.' });
  return given[0];
}

export async function createChecksum(algorithm: ChecksumAlgorithm): Promise<RunningChecksum> {
  if (algorithm === 'CRC32') return createCrc32();
  if (algorithm === 'CRC32C' || algorithm === 'CRC64NVME') return createOther(algorithm);
  const hash = createHash(algorithm.toLowerCase());
  return { update: (bytes) => hash.update(bytes), digest: async () => hash.digest('base64') };
}

function createCrc32(): RunningChecksum {
  let sum = 0;
  return {
    update(bytes) {
      sum = crc32(bytes, sum);
    },
    async digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(sum);
      return bytes.toString('base64');
    },
  };
}

async function createOther(algorithm: 'CRC32C' | 'CRC64NVME'): Promise<RunningChecksum> {
  // Megabytes of memory that most clients have no need of.
  const { Crc32c, Crc64Nvme } = await import('@aws-sdk/checksums/crc');
  const checksum = algorithm === 'CRC32C' ? new Crc32c() : new Crc64Nvme();
  return {
    update: (bytes) => checksum.update(bytes),
    digest: async () => Buffer.from(await checksum.digest()).toString('base64'),
  };
}
