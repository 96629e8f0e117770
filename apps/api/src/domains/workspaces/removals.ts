import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { noAudit } from '../../core/call-audit.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { removeDatabase } from '../databases/service.ts';
import { dropZone } from '../dns/zones.ts';
import { type RemovingParts, removeProject } from '../projects/remove-project.ts';
import { eraseFile } from '../storage/service.ts';
import type { StorageParts } from '../storage/storage.ts';
import type { Removals } from './removal.ts';

export interface RemovalsParts {
  projects: RemovingParts;
  databases: Pick<DatabasesParts, 'work'>;
  storage: Pick<StorageParts, 'deletion'>;
}

/** How each domain deletes what a workspace has of it; apps end before what they use. */
export function createRemovals({ projects, databases, storage }: RemovalsParts): Removals {
  return [
    ['projects', (of, id) => removeProject(of, projects, id)],
    ['managedDatabases', (of, id) => removeDatabase({ ...of, audit: noAudit }, databases.work, id)],
    ['storedFiles', (of, id) => eraseFile(of, storage, id)],
    ['dnsZones', removeZone],
    // Blobs that nothing links to any more are swept with their bytes.
    ['containerRepositories', removeRepository],
  ];
}

interface Of {
  db: Kysely<Database>;
  ownerId: string;
}

async function removeZone({ db, ownerId }: Of, id: string): Promise<void> {
  const zone = await db
    .selectFrom('dnsZones')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (zone) await dropZone(db, zone);
}

async function removeRepository({ db, ownerId }: Of, id: string): Promise<void> {
  await db.deleteFrom('containerRepositories').where('ownerId', '=', ownerId).where('id', '=', id).execute();
}
