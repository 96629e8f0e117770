import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings } from '../core/env.ts';
import { FileInUse, lockFile } from '../platform/lock-file.ts';
import { openReleases } from '../upgrade/releases.ts';
import { upgrade as upgradeTo } from '../upgrade/upgrade.ts';
import { type Command, CommandError } from './command.ts';

const TIMEOUT_SECONDS = 120;

export const upgrade: Command = {
  summary: 'another version in the place of this one: --to <version, folder or address> [--without-backup]',
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string' },
        timeout: { type: 'string', default: String(TIMEOUT_SECONDS) },
        'without-backup': { type: 'boolean', default: false },
      },
    });
    const { NEPHOS_HOME: home, RELEASES: from, BACKUP_TARGET: target } = process.env;
    if (!home)
      throw new CommandError('this version was not installed as a service: update its folder by hand');
    const timeout = Number(values.timeout);
    if (!Number.isInteger(timeout) || timeout < 1) throw new CommandError('--timeout is in whole seconds');
    const withBackup = !values['without-backup'];
    if (withBackup && !target) {
      throw new CommandError('there is no backup: set BACKUP_TARGET, or go without by --without-backup');
    }
    const unlock = lockUpgrades(home);
    try {
      const say = (line: string) => void process.stdout.write(`${line}\n`);
      const parts = { settings: readSettings(process.env), releases: openReleases(home), say };
      await upgradeTo({ to: values.to, from, timeout, withBackup }, parts);
    } finally {
      unlock();
    }
    return 0;
  },
};

function lockUpgrades(home: string): () => void {
  try {
    return lockFile(join(home, 'upgrade.lock'));
  } catch (error) {
    if (error instanceof FileInUse) throw new CommandError('another upgrade is under way');
    throw error;
  }
}
