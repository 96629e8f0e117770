import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings } from '../core/env.ts';
import { FileInUse, lockFile } from '../platform/lock-file.ts';
import { openReleases } from '../upgrade/releases.ts';
import { assertRoom, upgrade as upgradeTo } from '../upgrade/upgrade.ts';
import { type Command, CommandError } from './command.ts';

const TIMEOUT_SECONDS = 120;

export const upgrade: Command = {
  summary: 'another version in the place of this one',
  usage: '[--to <version, folder or address>] [--timeout <seconds>] [--without-backup]',
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string' },
        timeout: { type: 'string', default: String(TIMEOUT_SECONDS) },
        'without-backup': { type: 'boolean', default: false },
      },
    });
    const settings = readSettings(process.env);
    const { home, releases: from } = settings.installed;
    if (!home)
      throw new CommandError('this version was not installed as a service: update its folder by hand');
    const timeout = Number(values.timeout);
    if (!Number.isInteger(timeout) || timeout < 1) throw new CommandError('--timeout is in whole seconds');
    const withBackup = !values['without-backup'];
    if (withBackup && !settings.backups.target) {
      throw new CommandError('there is no backup: set BACKUP_URL, or go without by --without-backup');
    }
    const releases = openReleases(home);
    // Where there is none, nothing can be locked either.
    assertRoom({ settings, releases });
    const unlock = lockUpgrades(home);
    try {
      const say = (line: string) => void process.stdout.write(`${line}\n`);
      const parts = { settings, releases, cancelled: cancellation(), say };
      await upgradeTo({ to: values.to, from, timeout, withBackup }, parts);
    } finally {
      unlock();
    }
    return 0;
  },
};

/** A terminal that is gone ends nothing: the new version would be left on trial. What asks to end it leads back. */
function cancellation(): AbortSignal {
  const cancelled = new AbortController();
  process.on('SIGHUP', () => {});
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => cancelled.abort());
  return cancelled.signal;
}

function lockUpgrades(home: string): () => void {
  try {
    return lockFile(join(home, 'upgrade.lock'));
  } catch (error) {
    if (error instanceof FileInUse) throw new CommandError('another upgrade is under way');
    throw error;
  }
}
