import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { assertLoadable, isReachable, knowsMigration, runsAsRoot } from '@nephos/db';
import { SettingError } from '../core/settings.ts';
import { verify } from './repository/part-reader.ts';
import { assertRoomHere, halfOf, type RestoreParts } from './restore-backup.ts';

/**
 * Refuses where a backup cannot be restored: what is there already, what this program cannot read, too little room, or
 * anything of the backup that is damaged. Changes nothing. Throws `SettingError`, `NotEmpty`, `Damaged`.
 */
export async function assertRestorable(parts: RestoreParts): Promise<void> {
  const { settings, repository, manifest, say, signal } = parts;
  const { dataDir, databaseUrl, secretsKey } = settings;
  if (!knowsMigration(manifest.database.lastMigration)) {
    throw new SettingError(
      `This backup was made by version ${manifest.program}, which is newer than this program: restore it with that one.`,
    );
  }
  if (manifest.asRoot !== runsAsRoot()) {
    throw new SettingError(
      manifest.asRoot
        ? 'This backup is of an installation that ran as root: restore it as root.'
        : 'This backup is of an installation that did not run as root: restore it as the account that is to run it.',
    );
  }
  if (secretsKey && secretsKey.toLowerCase() !== manifest.secretsKey) {
    throw new SettingError('SECRETS_KEY is not the key of this backup: leave it out, or set that one.');
  }
  const parent = dirname(dataDir);
  if (existsSync(dataDir) && statSync(dataDir).dev !== statSync(parent).dev) {
    throw new SettingError(`DATA_DIR ${dataDir} is where a disk is mounted: choose a folder in it.`);
  }
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new SettingError(
      `DATA_DIR ${dataDir} is not empty, and a backup takes its place: stop Nephos, if it runs, and move the folder away (mv ${dataDir} ${dataDir}.old).`,
    );
  }
  if (runsAsRoot() && !isReachable(parent)) {
    throw new SettingError(
      `A folder above DATA_DIR ${dataDir} is closed to other accounts, which apps and databases run as: choose another.`,
    );
  }
  // What a restore that was cut short has left goes before it is begun anew, and makes room.
  if (!existsSync(halfOf(dataDir))) await assertRoomHere(parts);
  if (databaseUrl) await assertLoadable(databaseUrl);
  say('… reading all of the backup');
  await verify(repository.chunks, manifest, { signal });
}
