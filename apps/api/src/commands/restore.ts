import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { NotEmpty } from '@nephos/db';
import { PlaceFailed, readBackupStore } from '../backup/repository/backup-store.ts';
import { Damaged } from '../backup/repository/chunks.ts';
import { verify } from '../backup/repository/part-reader.ts';
import { readRecoveryKey } from '../backup/repository/recovery-key.ts';
import { type BackupName, openRepository, type Repository } from '../backup/repository/repository.ts';
import { type Secret, WrongKey } from '../backup/repository/repository-key.ts';
import { assertRestorable, restoreBackup } from '../backup/restore-backup.ts';
import { readSettings } from '../core/env.ts';
import { SettingError } from '../core/settings.ts';
import { byteSize } from '../platform/byte-size.ts';
import { type Command, CommandError } from './command.ts';

const KNOWN = [NotEmpty, Damaged, PlaceFailed, WrongKey, SettingError];

export const restore: Command = {
  summary: 'bring a backup back into an empty DATA_DIR (--verify: only read it)',
  usage: '[--from /folder|s3://bucket/prefix] [--at 2026-11-24T03:00:00Z] [--data-dir /folder] [--verify]',
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        at: { type: 'string' },
        'data-dir': { type: 'string' },
        verify: { type: 'boolean', default: false },
      },
    });
    const settings = readSettings(process.env);
    const { 'data-dir': dataDir = settings.dataDir } = values;
    const from = values.from ?? settings.backups.target;
    if (!from) throw new CommandError('Say where the backups are: --from /folder or s3://bucket/prefix');
    try {
      const repository = await openRepository(
        await readBackupStore(from, settings.backups.server),
        await secretOf(settings.backups),
      );
      const backup = await find(repository, values.at);
      const manifest = await repository.read(backup);
      const parts = {
        ...{ repository, manifest, signal: new AbortController().signal },
        settings: { ...settings, dataDir: resolve(dataDir) },
        say: print,
      };
      print(`The backup of ${manifest.takenAt}, ${byteSize(manifest.bytes)}`);
      if (values.verify) {
        await verify(repository.chunks, manifest);
        print('All of it can be read.');
        return 0;
      }
      await assertRestorable(parts);
      const lines = await restoreBackup(parts);
      print(['Came back:', ...lines.map((line) => `- ${line}`)].join('\n'));
      print(`Start it with DATA_DIR=${parts.settings.dataDir}, and not while the installation that it is of runs:
both would charge the same subscriptions, renew the same certificates and do what still waited.`);
      return 0;
    } catch (error) {
      throw KNOWN.some((kind) => error instanceof kind) ? new CommandError((error as Error).message) : error;
    }
  },
};

async function find(repository: Repository, at: string | undefined): Promise<BackupName> {
  const backups = await repository.list();
  const until = at === undefined ? undefined : new Date(at);
  if (until && Number.isNaN(until.getTime())) {
    throw new CommandError('--at is a moment, like 2026-11-24T03:00:00Z');
  }
  const found = backups.find(({ takenAt }) => !until || takenAt <= until);
  if (found) return found;
  throw new CommandError(
    until ? `There is no backup from before ${until.toISOString()}.` : 'There is no backup.',
  );
}

/** From the environment, where other accounts cannot see it, or from whoever sits there. */
async function secretOf({ passphrase }: { passphrase: string | undefined }): Promise<Secret> {
  const recoveryKey = process.env.BACKUP_RECOVERY_KEY;
  if (recoveryKey !== undefined) return { recoveryKey };
  if (passphrase !== undefined) return { passphrase };
  if (!process.stdin.isTTY) {
    throw new CommandError('Set BACKUP_RECOVERY_KEY or BACKUP_PASSPHRASE to what opens the backups.');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const said = await terminal.question('Recovery key or passphrase: ');
    return readRecoveryKey(said) ? { recoveryKey: said } : { passphrase: said };
  } finally {
    terminal.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
