import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SettingError } from '../env.ts';

const SQLITE_BUSY = 5;

/**
 * Makes the data folder and takes it for this process until the result is called or the process ends, however it
 * ends: the lock is the kernel's, by way of SQLite, so a killed process leaves none behind.
 */
export function takeDataFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    const file = join(folder, 'lock');
    const lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    chmodSync(file, 0o600);
    return () => lock.close();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new SettingError(`DATA_DIR ${folder} is in use by another running Nephos`);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError(`DATA_DIR ${folder} cannot be used: ${reason}`);
  }
}
