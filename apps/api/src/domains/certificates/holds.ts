import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { AuthorityProblem } from './authority-problem.ts';
import { registeredDomainOf } from './registered-domain.ts';

/** What an authority's limit is about. */
type Scope = 'name' | 'registered domain' | 'account';

/** Seconds for which all names wait at the most: a limit of accounts is of hours, and one that is misread harms everybody. */
const LONGEST_OF_ALL = 24 * 60 * 60;

/**
 * What a limit is about that a name was refused for, or its registered domain. RFC 8555 (§6.6) has nothing that says so
 * but words; these are Let's Encrypt's. What names neither of them is about who asked.
 */
export function scopeOf(words: string, name: string, domain: string): Scope {
  if (/exact set|failed (authorizations|validations)|temporarily prevented/i.test(words)) return 'name';
  const hosts = [...words.toLowerCase().matchAll(/(\*\.)?([a-z0-9_-]+\.)+[a-z][a-z0-9-]+/g)].map(
    ([host]) => host,
  );
  if (hosts.includes(domain)) return 'registered domain';
  return hosts.includes(name) ? 'name' : 'account';
}

/** Has all names wait that the limit is about for which an authority refused one. */
export async function holdOthers(
  db: Kysely<Database>,
  directory: string,
  name: string,
  { type, message, retryAfter }: AuthorityProblem,
): Promise<void> {
  if (type !== 'rateLimited' || retryAfter === 0) return;
  const domain = await registeredDomainOf(name);
  const scope = scopeOf(message, name, domain);
  if (scope === 'name') return;
  const seconds = scope === 'account' ? Math.min(retryAfter, LONGEST_OF_ALL) : retryAfter;
  const held = { until: sql<string>`now() + ${seconds} * interval '1 second'`, words: message };
  await db
    .insertInto('acmeHolds')
    .values({ directory, registeredDomain: scope === 'account' ? '' : domain, ...held })
    .onConflict((conflict) => conflict.columns(['directory', 'registeredDomain']).doUpdateSet(held))
    .execute();
}

/** Forgets those that are over. */
export async function sweepHolds(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('acmeHolds').where('until', '<', sql<string>`now()`).execute();
}
