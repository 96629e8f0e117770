import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base32: no letters that are taken for digits. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const SECRET_BYTES = 20;
const CHECK_DIGITS = 4;
const SECRET_DIGITS = (SECRET_BYTES * 8) / 5;
const GROUP = 6;

/** A key of 160 random bits in six groups, the last digits of which find out a slip of the pen. */
export function makeRecoveryKey(): string {
  const secret = randomBytes(SECRET_BYTES);
  const digits = digitsOf(secret) + checkOf(secret);
  return digits.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? '';
}

/** The bits of a recovery key as somebody wrote it; undefined where it cannot be one. */
export function readRecoveryKey(text: string): Buffer | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  if (plain.length !== SECRET_DIGITS + CHECK_DIGITS) return undefined;
  const bits = [...plain.slice(0, SECRET_DIGITS)].map((digit) => DIGITS.indexOf(digit));
  if (bits.some((value) => value < 0)) return undefined;
  const binary = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from(binary.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  return checkOf(secret) === plain.slice(SECRET_DIGITS) ? secret : undefined;
}

function digitsOf(bytes: Uint8Array): string {
  const binary = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (
    binary
      .match(/.{5}/g)
      ?.map((five) => DIGITS[Number.parseInt(five, 2)])
      .join('') ?? ''
  );
}

function checkOf(secret: Uint8Array): string {
  return digitsOf(createHash('sha256').update(secret).digest().subarray(0, 5)).slice(0, CHECK_DIGITS);
}
