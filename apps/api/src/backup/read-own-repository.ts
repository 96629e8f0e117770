import { SettingError, type Settings } from '../core/settings.ts';
import { createSecretsBox, loadSecretsKey } from '../platform/secrets-box.ts';
import type { Installation } from './installation.ts';
import { keptKey } from './kept-key.ts';
import { readBackupStore } from './repository/backup-store.ts';
import { openRepository, type Repository, repositoryIds } from './repository/repository.ts';

/**
 * Opens the repository of an installation to read from it: what lies there may not be writable, and another process may be
 * writing it. Throws `SettingError` where there is none, `WrongKey`, `PlaceFailed`.
 */
export async function readOwnRepository(
  settings: Pick<Settings, 'backups' | 'dataDir' | 'secretsKey'>,
  { db }: Pick<Installation, 'db'>,
): Promise<Repository> {
  const { target, server, passphrase } = settings.backups;
  if (!target) throw new SettingError('BACKUP_URL is not set: say where backups are to go.');
  const store = await readBackupStore(target, server);
  const ids = await repositoryIds(store);
  if (ids.length === 0) {
    throw new SettingError(
      'There are no backups in BACKUP_URL: is its disk mounted? If it is a new place, run nephos backup init.',
    );
  }
  const key = await keptKey(db, createSecretsBox(await loadSecretsKey(settings)), ids);
  if (key) return openRepository(store, { key });
  if (passphrase !== undefined) return openRepository(store, { passphrase });
  throw new SettingError(
    'The backups in BACKUP_URL are of another installation: set BACKUP_PASSPHRASE, or use nephos restore --list.',
  );
}
