import { problem, type Reading } from './dns-names.ts';
import { MAX_UINT16, numberIn } from './dns-numbers.ts';

/** Octets of a digest by the number of its kind; of what is no digest, any. */
type Lengths = Readonly<Record<number, number | 'any'>>;

interface Form {
  /** What the numbers before the digest are, each with those that there are. */
  numbers: readonly { name: string; allowed: readonly number[] | 'uint16' }[];
  /** By the last of the numbers. */
  lengths: Lengths;
  example: string;
}

const isHex = (text: string) => /^[0-9a-f]+$/.test(text) && text.length % 2 === 0;

/** `a, b or c`. */
function oneOf(numbers: readonly number[]): string {
  return `${numbers.slice(0, -1).join(', ')} or ${numbers.at(-1)}`;
}

/** Numbers, then octets in hexadecimal, which zone files break into words (RFC 4034 §5.3). */
function readDigest({ numbers, lengths, example }: Form, given: string): Reading {
  const words = given.split(/\s+/);
  const form = `Enter ${numbers.map(({ name }) => name).join(', ')} and hexadecimal digits, like ${example}.`;
  for (const [at, { name, allowed }] of numbers.entries()) {
    const number = numberIn(words[at], MAX_UINT16);
    if (number === undefined) return problem(form);
    if (allowed !== 'uint16' && !allowed.includes(number)) {
      return problem(`The ${name} must be ${oneOf(allowed)}.`);
    }
  }
  const digits = words.slice(numbers.length).join('').toLowerCase();
  if (!isHex(digits)) return problem(form);
  const kind = words.slice(0, numbers.length).map(Number);
  const length = lengths[kind.at(-1) ?? 0];
  if (typeof length === 'number' && digits.length !== 2 * length) {
    return problem(`A digest of this type has ${2 * length} hexadecimal digits, not ${digits.length}.`);
  }
  return { ok: true, text: [...kind, digits].join(' ') };
}

const SHA1 = 20;
const SHA256 = 32;
const SHA384 = 48;
const SHA512 = 64;

const TLSA: Form = {
  numbers: [
    { name: 'usage', allowed: [0, 1, 2, 3] },
    { name: 'selector', allowed: [0, 1] },
    { name: 'matching type', allowed: [0, 1, 2] },
  ],
  lengths: { 0: 'any', 1: SHA256, 2: SHA512 },
  example: '3 1 1 and 64 digits',
};

const SSHFP: Form = {
  numbers: [
    { name: 'algorithm', allowed: [1, 2, 3, 4, 6] },
    { name: 'fingerprint type', allowed: [1, 2] },
  ],
  lengths: { 1: SHA1, 2: SHA256 },
  example: '4 2 and 64 digits',
};

const DS: Form = {
  numbers: [
    { name: 'key tag', allowed: 'uint16' },
    { name: 'algorithm', allowed: [5, 7, 8, 10, 13, 14, 15, 16] },
    { name: 'digest type', allowed: [1, 2, 4] },
  ],
  lengths: { 1: SHA1, 2: SHA256, 4: SHA384 },
  example: '12345 13 2 and 64 digits',
};

/** Usage, selector, matching type and a certificate, a key or its digest (RFC 6698 §2). */
export const readTlsa = (given: string) => readDigest(TLSA, given);

/** Algorithm, fingerprint type and the fingerprint of a host's key (RFC 4255 §3, RFC 6594, RFC 7479, RFC 8709). */
export const readSshfp = (given: string) => readDigest(SSHFP, given);

/** Key tag, algorithm, digest type and the digest of a zone's key (RFC 4034 §5, RFC 4509, RFC 6605), of algorithms in use. */
export const readDs = (given: string) => readDigest(DS, given);
