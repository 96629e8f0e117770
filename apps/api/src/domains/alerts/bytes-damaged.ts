import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { activeAdmins } from './active-admins.ts';
import type { Condition } from './conditions.ts';

const NAMED = 3;

/** What is not as it was stored, to each admin. */
export async function bytesDamaged(db: Kysely<Database>): Promise<Condition[]> {
  const damaged = await db.selectFrom('damagedObjects').select('name').orderBy('foundAt', 'desc').execute();
  if (damaged.length === 0) return [];
  const names = damaged.slice(0, NAMED).map(({ name }) => name);
  const more = damaged.length > NAMED ? ` and ${damaged.length - NAMED} more` : '';
  return (await activeAdmins(db)).map((ownerId) => ({
    ownerId,
    subject: { kind: 'server', id: 'stored-bytes', name: 'this server' },
    text: `Stored bytes are damaged or missing: ${names.join(', ')}${more}. Look under Admin, and restore them from a backup.`,
    path: '/admin?tab=engines',
    level: 1,
  }));
}
