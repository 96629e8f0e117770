import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { SettingError } from '../../core/env.ts';
import { takeDataFolder } from '../../platform/data-folder.ts';
import { openDiskStore, readDiskStore } from '../../platform/object-store/disk-store.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';

/** What a repository needs of an object store. */
export type BackupStore = Pick<ObjectStore, 'put' | 'get' | 'list' | 'delete'>;

export interface OpenStore {
  store: BackupStore;
  /** Lets others write there. */
  close(): void;
}

/** Opens the place of backups, which nobody else writes to meanwhile. Throws `SettingError`. */
export async function openBackupStore(target: string): Promise<OpenStore> {
  const close = takeDataFolder(target, 'BACKUP_TARGET');
  try {
    return { store: await openDiskStore(target), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** What reads backups, and changes nothing there. Throws `SettingError` where there can be none. */
export function readBackupStore(target: string): BackupStore {
  if (!isAbsolute(target) || !existsSync(target)) throw new SettingError(`There is no folder ${target}.`);
  const refuse = () => Promise.reject(new Error('These backups are only read.'));
  return { ...readDiskStore(target), put: refuse, delete: refuse };
}
