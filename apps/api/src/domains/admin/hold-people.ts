import type { AdminUser } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { trialActive, USER_COLUMNS } from '../auth/user-columns.ts';

/** Somebody, held until the transaction ends. */
export interface HeldPerson {
  id: string;
  email: string;
  role: 'admin' | 'member';
  disabledAt: string | null;
}

/**
 * Holds all admins and the person, in the order of their ids, so that of two admins who act on each other one is an
 * admin no more when it is their turn; the result is the person, and every admin who can log in. Throws 403 where the
 * caller is none of these any more, and 404, also for a service account: it is its workspace's affair.
 */
export async function holdPeople(
  trx: Kysely<Database>,
  { user }: Pick<UserContext, 'user'>,
  userId: string,
): Promise<{ target: HeldPerson; admins: HeldPerson[] }> {
  const held = await trx
    .selectFrom('users')
    .select(['id', 'email', 'role', 'disabledAt'])
    .where('service', '=', false)
    .where(({ eb, or }) => or([eb('role', '=', 'admin'), eb('id', '=', userId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const admins = held.filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null);
  if (!admins.some(({ id }) => id === user.id)) throw forbidden('FORBIDDEN', 'You are no longer an admin.');
  const target = held.find(({ id }) => id === userId);
  if (!target) throw notFound();
  return { target, admins };
}

/** People as admins see them. */
export function adminUsers(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .select('users.disabledAt')
    .select(({ selectFrom }) =>
      selectFrom('signInConsents')
        .select('endsAt')
        .whereRef('userId', '=', 'users.id')
        .where('endsAt', '>', sql<string>`now()`)
        .as('consentEndsAt'),
    )
    .select(trialActive)
    .where('users.service', '=', false);
}

export function readAdminUser(db: Kysely<Database>, id: string): Promise<AdminUser> {
  return adminUsers(db).where('users.id', '=', id).executeTakeFirstOrThrow();
}
