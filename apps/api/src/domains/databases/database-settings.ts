import type { ManagedDatabase } from '@nephos/contracts';
import { GB } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** What was chosen for the server of a database. */
export interface ServerSettings {
  /** Bytes that the database may hold. */
  storageLimit: number;
  /** Until when it can be written although it is full; null: it cannot. */
  freeingUntil: Date | null;
  /** Memory and connections. */
  sizeClass: ManagedDatabase['sizeClass'];
}

export type StorageState = ManagedDatabase['storageState'];

/** What our own data says of databases by the names that their servers know, and what is written down of them. */
export interface SettingsRecords {
  /** Undefined where there is no such database, or no more. */
  settingsOf(name: string): Promise<ServerSettings | undefined>;
  storageBecame(name: string, state: StorageState): Promise<void>;
}

export function createSettingsRecords(db: Kysely<Database>): SettingsRecords {
  return {
    async settingsOf(name) {
      const row = await db
        .selectFrom('managedDatabases')
        .select(['storageSize', 'freeingUntil', 'sizeClass'])
        .where('engineName', '=', name)
        .executeTakeFirst();
      if (!row) return undefined;
      const { storageSize, freeingUntil, sizeClass } = row;
      return {
        sizeClass,
        storageLimit: storageSize * GB,
        freeingUntil: freeingUntil === null ? null : new Date(freeingUntil),
      };
    },
    async storageBecame(name, storageState) {
      await db
        .updateTable('managedDatabases')
        .set({ storageState })
        .where('engineName', '=', name)
        .where('storageState', '<>', storageState)
        .execute();
    },
  };
}
