import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { SecretAt } from './cookie-secrets.ts';
import { sipHash } from './sip-hash.ts';

/** Server cookies as RFC 9018 has them, so that other servers of the same secret would take them. */
export interface Cookies {
  /** For what an asker sent: its own 8 octets, with or without a server's cookie behind them. */
  look(received: Buffer, address: string): SeenCookie;
}

export interface SeenCookie {
  /** What to give back: both parts. */
  cookie: Buffer;
  /** Whether the address was given what it sent, within the last hour, so that it cannot be forged. */
  isKnown: boolean;
}

export const CLIENT_COOKIE_BYTES = 8;
/** Where the time stands: a server cookie is a version, three reserved octets, the time and the hash (RFC 9018 §4). */
const TIME_AT = CLIENT_COOKIE_BYTES + 4;
const HASH_AT = TIME_AT + 4;
const COOKIE_BYTES = HASH_AT + 8;
const VERSION = 1;
/** Seconds: RFC 9018 §4.3. */
const RENEWED_AFTER = 1800;
const MAX_AGE = 3600;
const MAX_AHEAD = 300;

function octetsOf(address: string): Uint8Array {
  // The library is slow, and most askers come this way.
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number);
  return Uint8Array.from(ipaddr.parse(address).toByteArray());
}

/** A cookie is of the secret of the time that it tells; `clock` tells seconds since 1970. */
export function createCookies(
  secretAt: SecretAt,
  clock: () => number = () => Math.floor(Date.now() / 1000),
): Cookies {
  /** Over what precedes it, reserved octets included, and the address (RFC 9018 §4.4). */
  const hashOf = (beginning: Uint8Array, address: string, time: number) =>
    sipHash(secretAt(time), Buffer.concat([beginning, octetsOf(address)]));

  function give(client: Buffer, address: string, now: number): Buffer {
    const beginning = Buffer.alloc(HASH_AT);
    client.copy(beginning, 0, 0, CLIENT_COOKIE_BYTES);
    beginning[CLIENT_COOKIE_BYTES] = VERSION;
    beginning.writeUInt32BE(now % 2 ** 32, TIME_AT);
    return Buffer.concat([beginning, hashOf(beginning, address, now)]);
  }

  return {
    look(received, address) {
      const now = clock();
      const isOurs = received.length === COOKIE_BYTES && received[CLIENT_COOKIE_BYTES] === VERSION;
      // Serial number arithmetic (RFC 1982), as the time has 32 bits.
      const age = isOurs ? (now - received.readUInt32BE(TIME_AT)) | 0 : Number.POSITIVE_INFINITY;
      const isKnown =
        age <= MAX_AGE &&
        age >= -MAX_AHEAD &&
        hashOf(received.subarray(0, HASH_AT), address, now - age).equals(received.subarray(HASH_AT));
      const cookie = isKnown && age <= RENEWED_AFTER ? received : give(received, address, now);
      return { cookie, isKnown };
    },
  };
}
