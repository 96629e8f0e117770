import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { elsewhere } from '../../backup/elsewhere.ts';
import type { Settings } from '../../core/settings.ts';
import { problemsOfBackups } from '../installation-backups/look.ts';
import { activeAdmins } from './active-admins.ts';
import type { Condition } from './conditions.ts';

/** Backups of the whole installation that fail, are late or lack something, to each admin. */
export async function serverBackupsFailing(db: Kysely<Database>, settings: Settings): Promise<Condition[]> {
  const problems = settings.backups.target ? await problemsOfBackups(db, elsewhere(settings)) : [];
  if (problems.length === 0) return [];
  return (await activeAdmins(db)).map((ownerId) => ({
    ownerId,
    subject: { kind: 'server', id: 'server-backups', name: 'this server' },
    text: `Backups of this server need you. ${problems.join(' ')} Look under Admin.`,
    path: '/admin?tab=engines',
    level: 1,
  }));
}
