import { createHmac } from 'node:crypto';

/** Octets, as SipHash has them. */
const SECRET_BYTES = 16;
/** Seconds. Far longer than a cookie lives, so that at most two secrets are of use at any moment (RFC 9018 §5). */
const PERIOD = 24 * 60 * 60;
const USED_AT_ONCE = 2;

/** The secret of the cookies that were made at `time`, in seconds since 1970. */
export type SecretAt = (time: number) => Buffer;

/** A secret for each day, the same on every server that has `key`: replicas know each other's cookies. */
export function createCookieSecrets(key: string): SecretAt {
  const made = new Map<number, Buffer>();
  return (time) => {
    const period = Math.floor(time / PERIOD);
    const known = made.get(period);
    if (known) return known;
    const digest = createHmac('sha256', key).update(String(period)).digest();
    const secret = digest.subarray(0, SECRET_BYTES);
    if (made.size >= USED_AT_ONCE) made.clear();
    made.set(period, secret);
    return secret;
  };
}
