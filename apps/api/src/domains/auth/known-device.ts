import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthParts } from './auth.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';

const ID_BYTES = 16;
/** 400 days, the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** Browsers in which somebody has logged in to an account before: strangers who try passwords cannot lock these out. */
export interface KnownDevices {
  /** The device that a `Cookie` header proves to be known to the account of this address; undefined for any other. */
  idOf(cookies: string | undefined, email: string): string | undefined;
  /** A `Set-Cookie` value that makes a new one known to it. It opens nothing: the password is asked as ever. */
  introduce(email: string): string;
}

export function createKnownDevices({
  secrets,
  settings,
}: Pick<AuthParts, 'secrets' | 'settings'>): KnownDevices {
  const secure = settings.publicUrl.protocol === 'https:';
  const name = cookieName('known_device', secure);
  const proofOf = (id: string, email: string) => secrets.fingerprint(`known device|${id}|${email}`);
  return {
    idOf(cookies, email) {
      const [id = '', given = ''] = readCookie(cookies, name)?.split('.') ?? [];
      const proof = Buffer.from(proofOf(id, email));
      const shown = Buffer.from(given);
      return shown.length === proof.length && timingSafeEqual(shown, proof) ? id : undefined;
    },
    introduce(email) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      return writeCookie({ name, value: `${id}.${proofOf(id, email)}`, maxAge: MAX_AGE_SECONDS, secure });
    },
  };
}
