import { z } from 'zod';
import { invalid } from '../../../core/errors.ts';
import type { AuthParts } from '../auth.ts';
import { cookieName, readCookie, writeCookie } from '../cookies.ts';

const MAX_AGE_SECONDS = 600;
const SEAL_CONTEXT = 'half-login';

/** Somebody who gave the right password, and is not in before a second factor. */
const HalfLogin = z.object({
  userId: z.string(),
  email: z.string(),
  /** Fingerprint of the stored hash: another password ends the attempt. */
  passwordPrint: z.string(),
});
export type HalfLogin = z.output<typeof HalfLogin>;

/** The server's clock only bounds how long a stolen cookie is of use. */
const Kept = HalfLogin.extend({ startedAt: z.number() });

/** What a browser keeps, sealed, between password and second factor. It is no session: nothing but the second step reads it. */
export interface HalfLogins {
  /** `Set-Cookie` values. */
  begin(half: HalfLogin): string;
  end(): string;
  /** What a `Cookie` header holds; undefined where there is none, or it expired. */
  read(cookies: string | undefined): HalfLogin | undefined;
}

export function logInAgain() {
  return invalid('This login expired. Log in again.');
}

export function createHalfLogins({ secrets, settings }: Pick<AuthParts, 'secrets' | 'settings'>): HalfLogins {
  const secure = settings.publicUrl.protocol === 'https:';
  const name = cookieName('second_factor', secure);
  const open = (sealed: string) => {
    try {
      return Kept.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), SEAL_CONTEXT)));
    } catch {
      // Sealed with another key, or by nobody.
      return undefined;
    }
  };
  return {
    begin(half) {
      const sealed = secrets.seal(JSON.stringify({ ...half, startedAt: Date.now() }), SEAL_CONTEXT);
      return writeCookie({ name, value: sealed.toString('base64url'), maxAge: MAX_AGE_SECONDS, secure });
    },
    end: () => writeCookie({ name, value: '', maxAge: 0, secure }),
    read(cookies) {
      const kept = open(readCookie(cookies, name) ?? '');
      return kept && Date.now() - kept.startedAt <= MAX_AGE_SECONDS * 1000 ? kept : undefined;
    },
  };
}
