import type { User } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { trialActive, USER_COLUMNS } from '../auth/user-columns.ts';

/**
 * Makes someone else an admin or a member, from their next request on. All admins are held meanwhile, in the order of
 * their ids, so that of two who take the role from each other one is an admin no more when it is their turn. Throws 403
 * (also for one's own role), 404, and 409 LAST_ADMIN.
 */
export async function changeRole(
  { db, user, audit }: UserContext,
  { userId, role }: { userId: string; role: User['role'] },
): Promise<User> {
  if (userId === user.id) {
    throw forbidden('CANNOT_CHANGE_OWN_ROLE', "You can't change your own role.");
  }
  return atomically(db, async (trx) => {
    const held = await holdAdminsAnd(trx, userId);
    const admins = held.filter((one) => one.role === 'admin');
    if (!admins.some(({ id }) => id === user.id)) {
      throw forbidden('FORBIDDEN', 'You are no longer an admin.');
    }
    const target = held.find(({ id }) => id === userId);
    if (!target) throw notFound();
    if (role !== 'admin' && admins.every(({ id }) => id === userId)) {
      throw conflict('LAST_ADMIN', 'There must be at least one admin. Make someone else an admin first.');
    }
    audit.note({
      subject: { kind: 'person', id: userId, name: target.email },
      before: { role: target.role },
      after: { role },
    });
    if (target.role !== role) {
      await trx.updateTable('users').set({ role }).where('id', '=', userId).execute();
      await trx.insertInto('roleChanges').values({ userId, changedBy: user.id, role }).execute();
    }
    return trx
      .selectFrom('users')
      .select(USER_COLUMNS)
      .select(trialActive)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
  });
}

function holdAdminsAnd(trx: Kysely<Database>, userId: string) {
  return trx
    .selectFrom('users')
    .select(['id', 'role', 'email'])
    .where(({ eb, or }) => or([eb('role', '=', 'admin'), eb('id', '=', userId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
}
