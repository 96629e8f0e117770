import { readBackupPlace } from '../core/backup-place.ts';
import { SettingError, type Settings } from '../core/settings.ts';
import { createSecretsBox, loadSecretsKey, type SecretsBox } from '../platform/secrets-box.ts';
import type { Installation } from './installation.ts';
import { hasKeptKey, keepKey, keptKey } from './kept-key.ts';
import { type BackupStore, openBackupStore, readBackupStore } from './repository/backup-store.ts';
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
      if (!mayMake && (passphrase === undefined || (await hasKeptKey(db)))) {
        throw new SettingError(await whyEmpty(db));
      }
      const { repository, recoveryKey } = await createRepository(store, passphrase);
      await keepKey(db, secrets, repository.key);
      return { repository, recoveryKey, close };
    }
    const repository = await openExisting(settings, { db, store, ids, secrets });
    return { repository, recoveryKey: undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the same to read from it: what lies there may not be writable, and another process may be writing it. Throws
 * `SettingError` where there is none, `WrongKey`, `PlaceFailed`.
 */
export async function readOwnRepository(
  settings: Settings,
  { db }: Pick<Installation, 'db'>,
): Promise<Repository> {
  const store = await readBackupStore(backupTarget(settings), settings.backups.server);
  const ids = await repositoryIds(store);
  if (ids.length === 0) throw new SettingError(await whyEmpty(db));
  const secrets = createSecretsBox(await loadSecretsKey(settings));
  return openExisting(settings, { db, store, ids, secrets });
}

/** Before a disk is mounted, its folder is an empty place on another. */
async function whyEmpty(db: Installation['db']): Promise<string> {
  return (await hasKeptKey(db))
    ? 'There are no backups in BACKUP_URL, and there were some: is its disk mounted? If it is a new place, run nephos backup init.'
    : 'There are no backups in BACKUP_URL yet: run nephos backup init.';
}

/** By the key that was kept, or the passphrase, by which it is kept from then on. */
async function openExisting(
  { backups: { passphrase } }: Settings,
  {
    db,
    store,
    ids,
    secrets,
  }: { db: Installation['db']; store: BackupStore; ids: readonly string[]; secrets: SecretsBox },
): Promise<Repository> {
  const key = await keptKey(db, secrets, ids);
  if (key) return openRepository(store, { key });
  if (passphrase === undefined) {
    throw new SettingError(
      'The backups in BACKUP_URL are of another installation, or its key was lost: set BACKUP_PASSPHRASE, or choose an empty folder.',
    );
  }
  const repository = await openRepository(store, { passphrase });
  await keepKey(db, secrets, repository.key);
  return repository;
}
