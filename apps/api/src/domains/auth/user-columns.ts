import { sql } from 'kysely';

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
