import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** Another process holds the lock. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse';
}

/**
 * Locks a file, made when absent, for this process until the result is called or the process ends, however it ends: the
 * lock is the kernel's, by way of SQLite, so a killed process leaves none behind. Throws `FileInUse`.
 */
export function lockFile(file: string): () => void {
  try {
    const lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    chmodSync(file, 0o600);
    return () => lock.close();
  } catch (error) {
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw isBusy ? new FileInUse(`${file} is in use by another process`) : error;
  }
}
