import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runsAsRoot } from '@nephos/db';
import { SettingError } from '../core/settings.ts';
import { FileInUse, lockFile } from './lock-file.ts';

/**
 * Makes the folder that a setting names and takes it for this process until the result is called or the process ends,
 * however it ends.
 */
export function takeDataFolder(folder: string, setting = 'DATA_DIR'): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    if (runsAsRoot()) assertUnchangeable(realpathSync(folder), setting);
    return lockFile(join(folder, 'lock'));
  } catch (error) {
    if (error instanceof SettingError) throw error;
    if (error instanceof FileInUse) {
      throw new SettingError(`${setting} ${folder} is in use by another Nephos process`);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError(`${setting} ${folder} cannot be used: ${reason}`);
  }
}

const BY_ALL = 0o002;
const STICKY = 0o1000;

/**
 * Root trusts what it finds here, so no other account, that of an app least of all, may be able to put something there.
 * Throws `SettingError` where everybody can change the folder or one on the way to it.
 */
function assertUnchangeable(folder: string, setting: string): void {
  const openToAll = (path: string) => (statSync(path).mode & BY_ALL) !== 0;
  if (openToAll(folder)) {
    throw new SettingError(
      `${setting} ${folder} is writable by every user on this machine: run chmod o-w ${folder}`,
    );
  }
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const parent = dirname(at);
    // In /tmp and its like everybody may make a folder, but not take away those of others.
    const isSafe = !openToAll(parent) || ((statSync(parent).mode & STICKY) !== 0 && statSync(at).uid === 0);
    if (!isSafe) {
      throw new SettingError(
        `${setting} ${folder} can be replaced by another user because ${parent} is writable by everyone: choose another folder`,
      );
    }
  }
}
