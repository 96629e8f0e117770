import type { Deps } from '../../context.ts';
import { clientAt } from '../../http/client-address.ts';
import { countCall, forgetCalls } from '../../http/rate-limit.ts';

const MINUTE = 60;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;

/** Counts an attempt to log in: 20 from one address, 5 of them for one account, in 15 minutes (reliability rule G7). */
export async function countLogin(deps: Deps, ip: string, email: string): Promise<void> {
  await countCall(deps, { key: `login:${clientAt(ip)}`, calls: 20, seconds: QUARTER_HOUR });
  await countCall(deps, { key: accountKey(ip, email), calls: 5, seconds: QUARTER_HOUR });
}

/** After the right password, the wrong ones before it count no more: who signs in often is not locked out. */
export function forgiveLogins({ db }: Deps, ip: string, email: string): Promise<void> {
  return forgetCalls(db, accountKey(ip, email));
}

function accountKey(ip: string, email: string): string {
  return `login:${clientAt(ip)}:${email}`;
}

/** Counts a sign-up: 20 from one address in an hour. */
export function countSignup(deps: Deps, ip: string): Promise<void> {
  return countCall(deps, { key: `signup:${clientAt(ip)}`, calls: 20, seconds: HOUR });
}

/** Counts a visit of someone signed out that costs us or a provider something: 60 from one address in a minute. */
export function countVisit(deps: Deps, ip: string): Promise<void> {
  return countCall(deps, { key: `signed-out:${clientAt(ip)}`, calls: 60, seconds: MINUTE });
}
