import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { NotEmpty } from '@nephos/db';
import { assertRestorable } from '../backup/assert-restorable.ts';
import { PlaceFailed, readBackupStore } from '../backup/repository/backup-store.ts';
import { Damaged } from '../backup/repository/chunks.ts';
import { verify } from '../backup/repository/part-reader.ts';
import { readRecoveryKey } from '../backup/repository/recovery-key.ts';
import { type BackupName, openRepository, type Repository } from '../backup/repository/repository.ts';
import { type Secret, WrongKey } from '../backup/repository/repository-key.ts';
import { type RestoreParts, restoreBackup } from '../backup/restore-backup.ts';
import { isFull } from '../backup/room.ts';
import { readSettings } from '../core/env.ts';
import { SettingError, type Settings } from '../core/settings.ts';
import { byteSize } from '../platform/byte-size.ts';
import { type Command, CommandError, Misused } from './command.ts';

const KNOWN = [NotEmpty, Damaged, PlaceFailed, WrongKey, SettingError];
const OPTIONS = {
  from: { type: 'string' },
  at: { type: 'string' },
  'data-dir': { type: 'string' },
  list: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
} as const;

export const restore: Command = {
  summary:
    'bring a backup back into an empty DATA_DIR (--list: say which there are; --verify: only read one)',
  usage:
    '[--from /folder|s3://bucket/prefix] [--at 2026-11-24T03:00:00Z] [--data-dir /folder] [--list|--verify]',
  async run(args) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if (values.list && values.verify) throw new Misused('Either --list or --verify');
    const settings = readSettings(process.env);
    const dataDir = resolve(values['data-dir'] ?? settings.dataDir);
    try {
      const repository = await open(values.from, settings.backups);
      const backups = await repository.list();
      if (values.list) {
        if (backups.length === 0) throw noBackup();
        for (const { takenAt } of backups) print(takenAt.toISOString());
        return 0;
      }
      const backup = find(backups, values.at);
      const earlier = backups[backups.indexOf(backup) + 1];
      await orEarlier(earlier, async () => {
        const manifest = await repository.read(backup);
        print(`The backup of ${manifest.takenAt}, ${byteSize(manifest.bytes)}`);
        if (values.verify) return readAll({ repository, manifest });
        const signal = new AbortController().signal;
        await bringBack({ repository, manifest, signal, settings: { ...settings, dataDir }, say: print });
      });
      return 0;
    } catch (error) {
      if (isFull(error)) throw new CommandError(fullOf(dataDir));
      throw KNOWN.some((kind) => error instanceof kind) ? new CommandError((error as Error).message) : error;
    }
  },
};

/** Opens what lies at a place, which may be a path from here, or where the settings say. */
async function open(from: string | undefined, backups: Settings['backups']): Promise<Repository> {
  const place = from?.startsWith('s3://') ? from : from && resolve(from);
  const target = place ?? backups.target;
  if (!target) throw new CommandError('Say where the backups are: --from /folder or s3://bucket/prefix');
  return openRepository(await readBackupStore(target, backups.server), await secretOf(backups));
}

function find(backups: readonly BackupName[], at: string | undefined): BackupName {
  const until = at === undefined ? undefined : new Date(at);
  if (until && Number.isNaN(until.getTime())) {
    throw new CommandError('--at is a moment, like 2026-11-24T03:00:00Z');
  }
  const found = backups.find(({ takenAt }) => !until || takenAt <= until);
  if (found) return found;
  throw until ? new CommandError(`There is no backup from before ${until.toISOString()}.`) : noBackup();
}

const noBackup = () => new CommandError('There is no backup.');

/** Says of a damaged backup which one to try in its place. */
async function orEarlier(earlier: BackupName | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Damaged) || !earlier) throw error;
    const at = earlier.takenAt.toISOString();
    throw new CommandError(`${error.message} Try the one before, which may be whole: --at ${at}`);
  }
}

async function readAll({ repository, manifest }: Pick<RestoreParts, 'repository' | 'manifest'>) {
  await verify(repository.chunks, manifest);
  print('All of it can be read.');
}

async function bringBack(parts: RestoreParts): Promise<void> {
  await assertRestorable(parts);
  const lines = await restoreBackup(parts);
  print(['Came back:', ...lines.map((line) => `- ${line}`)].join('\n'));
  print(`Start it with DATA_DIR=${parts.settings.dataDir}, and not while the installation that it is of runs:
both would charge the same subscriptions, renew the same certificates and do what still waited.`);
}

const fullOf = (dataDir: string) =>
  `There is no room left on the disk of DATA_DIR ${dataDir}, or of the database: make room and run this again, which begins anew.`;

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
