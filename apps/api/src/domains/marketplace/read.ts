import type { Installation } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';

export type InstallationRow = Selectable<Database['installations']>;

export function installationsOf(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom('installations').selectAll().where('ownerId', '=', ownerId);
}

/** A row as the contract shows it: where to open it once that is there, and why it failed once that is final. */
export function installationOf({ status, url, error, ...row }: InstallationRow): Installation {
  return {
    ...row,
    status,
    url: status === 'installed' ? url : '',
    error: status === 'failed' ? error : '',
  };
}
