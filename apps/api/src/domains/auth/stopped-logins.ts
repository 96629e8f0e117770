import { PASSWORD_LINK_HOURS } from '@nephos/contracts/constants';
import { z } from 'zod';
import type { AuthParts } from './auth.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';

const SEAL_CONTEXT = 'stopped-login';
/** A link to set a password that is made in the first half of it ends no later. */
const SECONDS = 2 * PASSWORD_LINK_HOURS * 60 * 60;

const StoppedLogin = z.object({
  /** The account that the provider speaks for. */
  userId: z.string(),
  /** Milliseconds since 1970 by this server's clock, which only bounds how long a stolen cookie is of use. */
  at: z.number(),
});

type Parts = Pick<AuthParts, 'settings' | 'secrets'>;

function cookieOf({ settings }: Pick<Parts, 'settings'>): { name: string; secure: boolean } {
  const secure = settings.publicUrl.protocol === 'https:';
  return { name: cookieName('stopped', secure), secure };
}

/**
 * A `Set-Cookie` value by which a browser keeps that a provider spoke for an account whose own proof was asked for. Who
 * sets a new password after that did not know it, so somebody else may be in there. It is sealed, and the browser's alone:
 * a login of a stranger that is stopped says nothing of a password that the account's person has forgotten.
 */
export function rememberStopped(deps: Parts, userId: string): string {
  const text = JSON.stringify({ userId, at: Date.now() });
  const value = deps.secrets.seal(text, SEAL_CONTEXT).toString('base64url');
  return writeCookie({ ...cookieOf(deps), value, maxAge: SECONDS });
}

/** The account that a browser's log-in by a provider was stopped before; undefined for none lately. */
export function stoppedBefore(deps: Parts, cookies: string | undefined): string | undefined {
  const sealed = readCookie(cookies, cookieOf(deps).name);
  if (!sealed) return undefined;
  let text: string;
  try {
    text = deps.secrets.open(Buffer.from(sealed, 'base64url'), SEAL_CONTEXT);
  } catch {
    return undefined;
  }
  const { userId, at } = StoppedLogin.parse(JSON.parse(text));
  return Date.now() - at > SECONDS * 1000 ? undefined : userId;
}

/** A `Set-Cookie` value that ends it once the account's person is in; undefined where it is about no or another account. */
export function forgetStopped(deps: Parts, cookies: string | undefined, userId: string): string | undefined {
  if (stoppedBefore(deps, cookies) !== userId) return undefined;
  return writeCookie({ ...cookieOf(deps), value: '', maxAge: 0 });
}
