import type { AdminUser, User } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden } from '../../core/errors.ts';
import { endSessionsAsOthers } from '../auth/end-access.ts';
import { holdPeople, readAdminUser } from './hold-people.ts';

/**
 * Makes someone else an admin or a member, from their next request on and whatever groups grant. All admins are held meanwhile. Throws 403 (also
 * for one's own role), 404, and 409 LAST_ADMIN.
 */
export async function changeRole(
  ctx: UserContext,
  { userId, role }: { userId: string; role: User['role'] },
): Promise<AdminUser> {
  const { db, user, audit } = ctx;
  if (userId === user.id) {
    throw forbidden('CANNOT_CHANGE_OWN_ROLE', "You can't change your own role.");
  }
  return atomically(db, async (trx) => {
    const { target, admins } = await holdPeople(trx, ctx, userId);
    if (role !== 'admin' && admins.every(({ id }) => id === userId)) {
      throw conflict('LAST_ADMIN', 'There must be at least one admin. Make someone else an admin first.');
    }
    audit.note({
      subject: { kind: 'person', id: userId, name: target.email },
      before: { role: target.role },
      after: { role },
    });
    if (target.role !== role) {
      const byHand = { role, adminFromGroup: false, memberByHand: role === 'member' };
      await trx.updateTable('users').set(byHand).where('id', '=', userId).execute();
      if (role !== 'admin') await endSessionsAsOthers(trx, userId);
      await trx.insertInto('roleChanges').values({ userId, changedBy: user.id, role }).execute();
    }
    return readAdminUser(trx, userId);
  });
}
