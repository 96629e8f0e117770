import type { User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** With `trialActive`, everything that makes a row of `users` the contract's `User`. */
export const USER_COLUMNS = [
  'users.id',
  'users.email',
  'users.firstName',
  'users.lastName',
  'users.profileImageUrl',
  'users.handle',
  'users.role',
  'users.trialEndDate',
  'users.createdAt',
] as const;

/** By the database's clock, as every expiry. */
export const trialActive = sql<boolean>`coalesce(users.trial_end_date > now(), false)`.as('trialActive');

/** A person as they are now; undefined for one that is gone. */
export function readUser(db: Kysely<Database>, id: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .select(trialActive)
    .where('users.id', '=', id)
    .executeTakeFirst();
}
