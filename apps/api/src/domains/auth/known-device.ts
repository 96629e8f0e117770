import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { User } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';

const ID_BYTES = 16;
/** 400 days, the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
/** Two for each of the accounts that were last logged in to from one browser. */
const MAX_PROOFS = 8;

/** Browsers in which somebody has logged in to an account before: strangers who try passwords cannot lock these out. */
export interface KnownDevices {
  /** The device that a `Cookie` header proves to be known to the account of this address; undefined for any other. */
  idOf(cookies: string | undefined, email: string): string | undefined;
  /** Whether it is known to this account, also by an address that it had before. */
  isKnown(cookies: string | undefined, user: Pick<User, 'id' | 'email'>): boolean;
  /** A `Set-Cookie` value that makes it known, also to this account. It opens nothing: the password is asked as ever. */
  introduce(cookies: string | undefined, user: Pick<User, 'id' | 'email'>): string;
}

export function createKnownDevices({
  secrets,
  settings,
}: Pick<Platform, 'secrets' | 'settings'>): KnownDevices {
  const secure = settings.publicUrl.protocol === 'https:';
  const name = cookieName('known_device', secure);
  const proofOf = (id: string, account: string) => secrets.fingerprint(`known device|${id}|${account}`);
  const read = (cookies: string | undefined) => {
    const [id = '', ...proofs] = readCookie(cookies, name)?.split('.') ?? [];
    return { id, proofs: proofs.slice(0, MAX_PROOFS) };
  };
  const isProven = (cookies: string | undefined, account: string) => {
    const { id, proofs } = read(cookies);
    const proof = Buffer.from(proofOf(id, account));
    return proofs.some((given) => {
      const shown = Buffer.from(given);
      return shown.length === proof.length && timingSafeEqual(shown, proof);
    });
  };
  return {
    idOf: (cookies, email) => (isProven(cookies, email) ? read(cookies).id : undefined),
    isKnown: (cookies, { id, email }) => isProven(cookies, id) || isProven(cookies, email),
    introduce(cookies, user) {
      const known = read(cookies);
      // An id without a proof of ours is of somebody else's choice.
      const isOurs = known.proofs.length > 0 && /^[\w-]{22}$/.test(known.id);
      const id = isOurs ? known.id : randomBytes(ID_BYTES).toString('base64url');
      const own = [user.email, user.id].map((account) => proofOf(id, account));
      const others = isOurs
        ? known.proofs.filter((proof) => /^[0-9a-f]{64}$/.test(proof) && !own.includes(proof))
        : [];
      const value = [id, ...own, ...others].slice(0, 1 + MAX_PROOFS).join('.');
      return writeCookie({ name, value, maxAge: MAX_AGE_SECONDS, secure });
    },
  };
}
