import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { secondsOfRetryAfter } from '../../platform/retry-after.ts';
import type { LoadLibrary } from './library.ts';

/** When an authority wants a certificate renewed (RFC 9773). */
export interface RenewalInfo {
  /** Milliseconds since the epoch, the second one later. */
  window: readonly [number, number];
  /** Seconds after which it is to be asked again; 0 where it does not say. */
  retryAfter: number;
}

/** Asks about a certificate by its chain (PEM, its own first); undefined where it is not told. Throws `AuthorityProblem`. */
export type AskRenewalInfo = (chain: string) => Promise<RenewalInfo | undefined>;

export interface RenewalParts {
  load: LoadLibrary;
  /** URL of the authority's directory. */
  directory: string;
}

const Instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Answer = z
  .object({ suggestedWindow: z.object({ start: Instant, end: Instant }) })
  .refine(({ suggestedWindow: { start, end } }) => start < end);
const Directory = z.object({ renewalInfo: z.url() });

/** The extension authorityKeyIdentifier (RFC 5280 §4.2.1.1) in DER: its name, and the tags on the way to the identifier. */
const AUTHORITY_KEY = Buffer.from('0603551d23', 'hex');
const [OCTETS, SEQUENCE, KEY_IDENTIFIER] = [0x04, 0x30, 0x80];

/**
 * What an authority calls a certificate (RFC 9773 §4.1); undefined of one that does not tell by which key it is signed.
 * `chain` is PEM, its own first.
 */
export function certificateIdOf(chain: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(chain);
  const keyId = keyIdOf(raw);
  const even = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  // As DER has it, where the first bit is a sign.
  const serial = Buffer.from(/^[89a-f]/i.test(even) ? `00${even}` : even, 'hex');
  return keyId && `${keyId.toString('base64url')}.${serial.toString('base64url')}`;
}

/** All that is on the way is of less than 128 bytes, so each length is one byte. */
function keyIdOf(der: Buffer): Buffer | undefined {
  const at = der.indexOf(AUTHORITY_KEY);
  if (at === -1) return undefined;
  const value = der.subarray(at + AUTHORITY_KEY.length);
  const [octets, , sequence, , identifier, length = 0] = value;
  const isKnown = octets === OCTETS && sequence === SEQUENCE && identifier === KEY_IDENTIFIER;
  return isKnown && length < 128 ? value.subarray(6, 6 + length) : undefined;
}

/** What asks an authority about certificates; undefined where it tells nobody. Throws `AuthorityProblem`. */
export async function openRenewalInfo({
  load,
  directory,
}: RenewalParts): Promise<AskRenewalInfo | undefined> {
  const { axios } = await load();
  const found = Directory.safeParse((await axios.get(directory)).data);
  if (!found.success) return undefined;
  const address = found.data.renewalInfo.replace(/\/$/, '');
  return async (chain) => {
    const id = certificateIdOf(chain);
    if (id === undefined) return undefined;
    const { data, headers } = await axios.get(`${address}/${id}`);
    const answer = Answer.safeParse(data);
    if (!answer.success) return undefined;
    const { start, end } = answer.data.suggestedWindow;
    return { window: [start, end], retryAfter: secondsOfRetryAfter(headers['retry-after']) };
  };
}
