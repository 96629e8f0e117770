import { readBackupPlace } from '../core/backup-place.ts';
import { SettingError, type Settings } from '../core/settings.ts';
import { createSecretsBox, loadSecretsKey } from '../platform/secrets-box.ts';
import type { Installation } from './installation.ts';
import { hasKeptKey, keepKey, keptKey } from './kept-key.ts';
import { openBackupStore } from './repository/backup-store.ts';
import { createRepository, openRepository, type Repository, repositoryIds } from './repository/repository.ts';

/** The repository of an installation, until `close`. */
export interface OwnRepository {
  repository: Repository;
  /** Where it was just made: what opens it without the passphrase, and is nowhere else. */
  recoveryKey: string | undefined;
  close(): Promise<void>;
}

/** Where backups go. Throws `SettingError` where that was not said, or would be part of what is backed up. */
function backupTarget({ backups: { target, server }, dataDir, s3 }: Settings): string {
  if (!target) throw new SettingError('BACKUP_URL is not set: say where backups are to go.');
  const place = readBackupPlace(target);
  if (place && 'bucket' in place && place.bucket === s3?.bucket && isSame(server?.endpoint, s3.endpoint)) {
    throw new SettingError('BACKUP_URL is in S3_BUCKET, which is backed up: choose another bucket.');
  }
  if (`${target}/`.startsWith(`${dataDir}/`)) {
    throw new SettingError('BACKUP_URL is inside of DATA_DIR: choose a folder on another disk.');
  }
  return target;
}

const isSame = (one: URL | undefined, other: URL | undefined) => one?.href === other?.href;

/**
 * Opens the repository that backups of an installation go to, with the key that was kept in its database, or by the
 * passphrase. Where there is none, it is made where `mayMake` says so, or with a passphrase for an installation that never
 * had one.
 */
export async function openOwnRepository(
  settings: Settings,
  { db }: Pick<Installation, 'db'>,
  { mayMake }: { mayMake: boolean },
): Promise<OwnRepository> {
  const { passphrase, server } = settings.backups;
  const secrets = createSecretsBox(await loadSecretsKey(settings));
  const { store, close } = await openBackupStore(backupTarget(settings), {
    ...{ server, dataDir: settings.dataDir },
  });
  try {
    const ids = await repositoryIds(store);
    if (ids.length === 0) {
      // Before a disk is mounted, its folder is an empty place on another.
      if (!mayMake && (await hasKeptKey(db))) {
        throw new SettingError(
          'There are no backups in BACKUP_URL, and there were some: is its disk mounted? If it is a new place, run nephos backup init.',
        );
      }
      if (!mayMake && passphrase === undefined) {
        throw new SettingError('There are no backups in BACKUP_URL yet: run nephos backup init.');
      }
      const { repository, recoveryKey } = await createRepository(store, passphrase);
      await keepKey(db, secrets, repository.key);
      return { repository, recoveryKey, close };
    }
    const key = await keptKey(db, secrets, ids);
    if (key) return { repository: await openRepository(store, { key }), recoveryKey: undefined, close };
    if (passphrase === undefined) {
      throw new SettingError(
        'The backups in BACKUP_URL are of another installation, or its key was lost: set BACKUP_PASSPHRASE, or choose an empty folder.',
      );
    }
    const repository = await openRepository(store, { passphrase });
    await keepKey(db, secrets, repository.key);
    return { repository, recoveryKey: undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
}
