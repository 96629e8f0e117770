import { clientAt } from '../../platform/client-address.ts';
import { countCall, forgetCalls, type Limit, takeBackCall } from '../../platform/rate-limit.ts';
import type { AuthParts } from './auth.ts';

const MINUTE = 60;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;

/** Wrong secrets for one account from one address, or on one known device, in 15 minutes. */
const FROM_ONE_PLACE = 5;
/** Wrong secrets from one address, and for one account whatever the address, in 15 minutes. */
const ALTOGETHER = 20;

/** Where secrets can be guessed. */
type Door = 'login' | 'registry-login' | 'git-login';

/** How many secrets may be guessed at a door, whether or not there is such an account. */
interface GuessLimits {
  address: Limit;
  /** Guesses at this account from this address. */
  here: Limit;
  /** Guesses at this account from all addresses together: some can choose theirs. */
  anywhere: Limit;
}

export function guessLimits(door: Door, ip: string, account: string): GuessLimits {
  const client = clientAt(ip);
  const limit = (key: string, calls: number) => ({ key: `${door}:${key}`, calls, seconds: QUARTER_HOUR });
  return {
    address: limit(client, ALTOGETHER),
    here: limit(`${client}:${account}`, FROM_ONE_PLACE),
    anywhere: limit(`*:${account}`, ALTOGETHER),
  };
}

export interface LoginAttempt {
  ip: string;
  email: string;
  /** The known device that it is made on. */
  device: string | undefined;
}

/**
 * Counts an attempt to log in. On a device that is known to the account only that device's own attempts count, so that
 * nobody can lock the account's owner out by trying passwords from elsewhere.
 */
export async function countLogin(deps: AuthParts, attempt: LoginAttempt): Promise<void> {
  if (attempt.device !== undefined) return countCall(deps, deviceLimit(attempt.device, attempt.email));
  const { address, here, anywhere } = limitsOf(attempt);
  for (const limit of [address, here, anywhere]) await countCall(deps, limit);
}

/** After the right password, the wrong ones before it count no more: who signs in often is not locked out. */
export async function forgiveLogins({ db }: AuthParts, attempt: LoginAttempt): Promise<void> {
  if (attempt.device !== undefined) return forgetCalls(db, deviceLimit(attempt.device, attempt.email).key);
  const { here, anywhere } = limitsOf(attempt);
  await forgetCalls(db, here.key);
  // Only this call is taken back: the others may be those of somebody who is still guessing.
  await takeBackCall(db, anywhere.key);
}

/** After a new password was set, what was tried from this place before counts no more. */
export function forgiveHere({ db }: Pick<AuthParts, 'db'>, ip: string, email: string): Promise<void> {
  return forgetCalls(db, limitsOf({ ip, email }).here.key);
}

function limitsOf({ ip, email }: Pick<LoginAttempt, 'ip' | 'email'>): GuessLimits {
  return guessLimits('login', ip, email);
}

function deviceLimit(device: string, email: string): Limit {
  return { key: `login-device:${device}:${email}`, calls: FROM_ONE_PLACE, seconds: QUARTER_HOUR };
}

/** Counts a sign-up: 20 from one address in an hour, and 20 with one address of mail, wherever they come from. */
export async function countSignup(deps: AuthParts, ip: string, email: string): Promise<void> {
  for (const key of [clientAt(ip), `*:${email}`]) {
    await countCall(deps, { key: `signup:${key}`, calls: 20, seconds: HOUR });
  }
}

/**
 * Counts a request for a link by mail: 10 from one address, and for one address of mail 3 from one place and 10 from all,
 * in an hour. Whoever is kept from another one by strangers has got theirs, which work.
 */
export async function countResetRequest(
  deps: Pick<AuthParts, 'db' | 'settings'>,
  ip: string,
  email: string,
): Promise<void> {
  const client = clientAt(ip);
  const limit = (key: string, calls: number) => ({ key: `reset:${key}`, calls, seconds: HOUR });
  const limits = [limit(client, 10), limit(`${client}:${email}`, 3), limit(`*:${email}`, 10)];
  for (const each of limits) await countCall(deps, each);
}

/** Counts a visit of someone signed out that costs us or a provider something: 60 from one address in a minute. */
export function countVisit(deps: AuthParts, ip: string): Promise<void> {
  return countCall(deps, { key: `signed-out:${clientAt(ip)}`, calls: 60, seconds: MINUTE });
}
