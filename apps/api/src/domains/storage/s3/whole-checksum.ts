import type { StoredChecksum } from '@nephos/db';
import type { PartRow, UploadRow } from '../multipart.ts';
import { type ChecksumAlgorithm, createChecksum } from './checksums.ts';

/** Polynomials of the CRCs, reflected, by which those of bytes that follow one another make that of them all. */
const POLYNOMIALS: Partial<Record<ChecksumAlgorithm, { bits: number; polynomial: bigint }>> = {
  CRC32: { bits: 32, polynomial: 0xedb88320n },
  CRC32C: { bits: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { bits: 64, polynomial: 0x9a6c9329ac4bc9b5n },
};

/** Whether an algorithm's checksum of a whole follows from those of its parts. */
export function isCombinable(algorithm: ChecksumAlgorithm): boolean {
  return POLYNOMIALS[algorithm] !== undefined;
}

/** The checksum of an object in parts, as its upload was begun; null where not all of its parts have one. */
export async function wholeChecksum(
  { checksum }: Pick<UploadRow, 'checksum'>,
  parts: readonly PartRow[],
): Promise<StoredChecksum | null> {
  if (!checksum) return null;
  const { algorithm, type } = checksum;
  const sums = parts.flatMap(({ checksum: sum, fileSize }) =>
    sum?.algorithm === algorithm ? [{ sum: Buffer.from(sum.value, 'base64'), fileSize }] : [],
  );
  if (sums.length < parts.length) return null;
  if (type === 'FULL_OBJECT') return { algorithm, type, value: combined(algorithm, sums) };
  const running = await createChecksum(algorithm);
  running.update(Buffer.concat(sums.map(({ sum }) => sum)));
  return { algorithm, type, value: `${await running.digest()}-${parts.length}` };
}

function combined(
  algorithm: ChecksumAlgorithm,
  sums: readonly { sum: Buffer /** Bytes. */; fileSize: number }[],
): string {
  const { bits, polynomial } = POLYNOMIALS[algorithm] ?? { bits: 32, polynomial: 0n };
  const top = 1n << BigInt(bits - 1);

  /** The product of two polynomials, modulo that of the CRC. */
  function times(one: bigint, other: bigint): bigint {
    let [product, shifted] = [0n, other];
    for (let at = top; at > 0n; at >>= 1n) {
      if (one & at) product ^= shifted;
      shifted = shifted & 1n ? (shifted >> 1n) ^ polynomial : shifted >> 1n;
    }
    return product;
  }

  /** What bytes that follow multiply a CRC by: x to the power of their bits. */
  function shiftBy(bytes: number): bigint {
    let [factor, square] = [top, top >> 8n];
    for (let left = BigInt(bytes); left > 0n; left >>= 1n) {
      if (left & 1n) factor = times(factor, square);
      square = times(square, square);
    }
    return factor;
  }

  const crc = sums.reduce(
    (before, { sum, fileSize }) => times(before, shiftBy(fileSize)) ^ BigInt(`0x${sum.toString('hex')}`),
    0n,
  );
  return Buffer.from(crc.toString(16).padStart(bits / 4, '0'), 'hex').toString('base64');
}
