import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { type Name, parentOf, ROOT } from '../names.ts';
import { TYPE } from '../protocol.ts';
import { DATA_OFFSET, type RecordSet, recordSetFrom } from '../record-set.ts';
import { ALGORITHM, keyTagOf, type ZoneKey } from './zone-key.ts';

/** A key that is ready to sign. */
export interface SigningKey {
  tag: number;
  key: KeyObject;
}

/** When signatures hold, in seconds since 1970. */
export interface Validity {
  from: number;
  until: number;
}

/** Octets of an RRSIG record's data before the signer's name. */
const FIXED_BYTES = 18;
const SECONDS_MODULUS = 2 ** 32;

export function signingKeyOf({ publicKey, privateKey }: ZoneKey): SigningKey {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return { tag: keyTagOf(publicKey), key };
}

/** RFC 4034 §3.1.3: without the root, and without a wildcard's first one, which stands for any. */
function labelsIn(name: Name): number {
  let count = 0;
  for (let rest = name.startsWith('\u0001*') ? parentOf(name) : name; rest !== ROOT; rest = parentOf(rest)) {
    count += 1;
  }
  return count;
}

function dataOf(record: Buffer): Buffer {
  return record.subarray(DATA_OFFSET);
}

/** What the signatures of a set are made over after their own data, RFC 4034 §6.3: the set in its canonical order. */
function signedOctets(owner: Name, { records }: RecordSet): Buffer {
  const name = Buffer.from(owner, 'latin1');
  const ordered = records.toSorted((a, b) => dataOf(a).compare(dataOf(b)));
  return Buffer.concat(ordered.flatMap((record) => [name, record]));
}

/** The RRSIG records of a set at `owner`, of a wildcard its own name, by each of `keys` of the zone at `apex`. */
export function signSet(
  { owner, set }: { owner: Name; set: RecordSet },
  { apex, keys }: { apex: Name; keys: readonly SigningKey[] },
  { from, until }: Validity,
): RecordSet {
  const signer = Buffer.from(apex, 'latin1');
  const signed = signedOctets(owner, set);
  const signatures = keys.map(({ tag, key }) => {
    const head = Buffer.alloc(FIXED_BYTES + signer.length);
    head.writeUInt16BE(set.type);
    head[2] = ALGORITHM;
    head[3] = labelsIn(owner);
    head.writeUInt32BE(set.ttl, 4);
    head.writeUInt32BE(until % SECONDS_MODULUS, 8);
    head.writeUInt32BE(from % SECONDS_MODULUS, 12);
    head.writeUInt16BE(tag, 16);
    signer.copy(head, FIXED_BYTES);
    const signature = sign('sha256', Buffer.concat([head, signed]), { key, dsaEncoding: 'ieee-p1363' });
    return Buffer.concat([head, signature]);
  });
  return recordSetFrom(TYPE.RRSIG, set.ttl, signatures);
}
