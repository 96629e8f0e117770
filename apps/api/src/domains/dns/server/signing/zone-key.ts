import { createHash, generateKeyPairSync } from 'node:crypto';
import { type Name, nameOf } from '../names.ts';
import { TYPE } from '../protocol.ts';
import { type RecordSet, recordSetFrom } from '../record-set.ts';

/**
 * What a key is for. An incoming one is announced, so that every cache has it before anything depends upon it; the active
 * one signs the zone; a retiring one stays for the signatures and DS records of it that are still in caches.
 */
export type ZoneKeyState = 'incoming' | 'active' | 'retiring';

/** A key that signs both keys and records of a zone: ECDSA P-256 with SHA-256 (RFC 6605). */
export interface ZoneKey {
  state: ZoneKeyState;
  /** Its point's two coordinates of 32 octets, in base64, as a DNSKEY record has them. */
  publicKey: string;
  /** PKCS #8 in base64. */
  privateKey: string;
}

export const ALGORITHM = 13;
const PROTOCOL = 3;
/** A zone's key, and one that a parent's DS record may name (RFC 4034 §2.1.1). */
const KEY_FLAGS = 257;

/** What a DS record has of its key: the type's number, and the hash as OpenSSL names it. */
interface Digest {
  type: number;
  hash: string;
}

/** The one that everybody has to know (RFC 8624 §3.3). */
const OUR_DIGEST: Digest = { type: 2, hash: 'sha256' };
/** Those that parents publish. */
const DIGESTS: readonly Digest[] = [OUR_DIGEST, { type: 4, hash: 'sha384' }, { type: 1, hash: 'sha1' }];

/** Seconds that the records about keys stay in caches. */
export const KEY_TTL = 3600;

export function makeZoneKey(): Pick<ZoneKey, 'publicKey' | 'privateKey'> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    publicKey: point.toString('base64'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** The data of the key's DNSKEY record. */
function keyData(publicKey: string): Buffer {
  return Buffer.concat([
    Buffer.of(KEY_FLAGS >> 8, KEY_FLAGS & 0xff, PROTOCOL, ALGORITHM),
    fromBase64(publicKey),
  ]);
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

/** RFC 4034 appendix B. */
export function keyTagOf(publicKey: string): number {
  let sum = 0;
  for (const [at, octet] of keyData(publicKey).entries()) sum += at % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >> 16)) & 0xffff;
}

/** A digest by which a parent names the key of `apex`, RFC 4034 §5.1.4. */
function digestOf(apex: Name, publicKey: string, { hash }: Digest): Buffer {
  return createHash(hash).update(Buffer.from(apex, 'latin1')).update(keyData(publicKey)).digest();
}

function delegationData(apex: Name, publicKey: string): Buffer {
  const tag = keyTagOf(publicKey);
  return Buffer.concat([
    Buffer.of(tag >> 8, tag & 0xff, ALGORITHM, OUR_DIGEST.type),
    digestOf(apex, publicKey, OUR_DIGEST),
  ]);
}

/** The key's DS record as a master file has its data. */
export function delegationText(domain: string, publicKey: string, digest = OUR_DIGEST): string {
  const octets = digestOf(nameOf(domain), publicKey, digest);
  return `${keyTagOf(publicKey)} ${ALGORITHM} ${digest.type} ${octets.toString('hex').toUpperCase()}`;
}

/** The DS records, as `delegationText`, that a parent may make of the key: those that take a DNSKEY choose the digest. */
export function possibleDelegations(domain: string, publicKey: string): string[] {
  return DIGESTS.map((digest) => delegationText(domain, publicKey, digest));
}

/** Those that every resolver goes by: it need not heed SHA-1 any more (RFC 8624 §3.3), and treats such a domain as unsigned. */
export function trustedDelegations(domain: string, publicKey: string): string[] {
  return DIGESTS.filter(({ hash }) => hash !== 'sha1').map((digest) =>
    delegationText(domain, publicKey, digest),
  );
}

/** The key's DNSKEY record as a master file has its data. */
export function keyText(publicKey: string): string {
  return `${KEY_FLAGS} ${PROTOCOL} ${ALGORITHM} ${publicKey}`;
}

/**
 * The sets of the apex that are about keys: the keys, and for parents that look (RFC 7344) those that it should name. An
 * incoming key is named beside the active one, which stays good until the other is active.
 */
export function keySetsOf(apex: Name, keys: readonly ZoneKey[]): RecordSet[] {
  const named = keys.filter(({ state }) => state !== 'retiring');
  const dataOf = (some: readonly ZoneKey[], data: (publicKey: string) => Buffer) =>
    some.map(({ publicKey }) => data(publicKey));
  return [
    recordSetFrom(TYPE.DNSKEY, KEY_TTL, dataOf(keys, keyData)),
    recordSetFrom(
      TYPE.CDS,
      KEY_TTL,
      dataOf(named, (key) => delegationData(apex, key)),
    ),
    recordSetFrom(TYPE.CDNSKEY, KEY_TTL, dataOf(named, keyData)),
  ];
}
