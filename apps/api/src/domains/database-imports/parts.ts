import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';

/** What imports are made with. */
export interface ImportParts
  extends Pick<Platform, 'objects' | 'secrets' | 'log'>,
    Pick<DatabasesParts, 'servers' | 'work'> {
  db: Kysely<Database>;
  /** `pg_restore` of this machine; undefined where there is none. */
  pgRestore(): string | undefined;
}
