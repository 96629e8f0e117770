import { hostname } from 'node:os';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { readReturn } from '../../upgrade/releases.ts';
import { activeAdmins } from '../alerts/active-admins.ts';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';

const KIND = 'upgrade-rolled-back';

/** Tells the administrators, once, that a newer version gave way on this machine, and what to do; and when another one serves. */
export async function tellRollback(db: Kysely<Database>, home: string): Promise<void> {
  const left = readReturn(home);
  // Of several machines, each speaks for itself alone.
  const machine = hostname();
  if (!left) return recover(db, machine);
  for (const ownerId of await activeAdmins(db)) {
    await raiseAlert(db, {
      ...{ ownerId, kind: KIND, text: left.said, once: left.at },
      subject: { kind: 'server', id: machine, name: machine },
      path: '/admin?tab=engines',
    });
  }
}

async function recover(db: Kysely<Database>, machine: string): Promise<void> {
  const told = await db
    .selectFrom('alerts')
    .select('ownerId')
    .distinct()
    .where('kind', '=', KIND)
    .where('subjectId', '=', machine)
    .where('recoveredAt', 'is', null)
    .execute();
  for (const { ownerId } of told) await recoverAlerts(db, { ownerId, kinds: [KIND], subjectId: machine });
}
