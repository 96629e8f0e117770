import { parseArgs } from 'node:util';
import { BackupRuns } from '@nephos/db';
import { type Installation, openInstallation } from '../backup/installation.ts';
import { type MadeBackup, makeBackup } from '../backup/make-backup.ts';
import { openOwnRepository, readOwnRepository } from '../backup/open-repository.ts';
import { NotProved, proveBackup } from '../backup/prove-backup.ts';
import { PlaceFailed } from '../backup/repository/backup-store.ts';
import { Damaged } from '../backup/repository/chunks.ts';
import { WrongKey } from '../backup/repository/repository-key.ts';
import { Cancelled } from '../backup/run-record.ts';
import { countOf } from '../core/count-of.ts';
import { readSettings } from '../core/env.ts';
import { programVersion } from '../core/program-version.ts';
import { byteSize } from '../platform/byte-size.ts';
import { type Command, CommandError, Misused } from './command.ts';

const KNOWN = [BackupRuns, Cancelled, Damaged, NotProved, PlaceFailed, WrongKey];
const ACTIONS = ['make', 'init', 'list', 'prove', 'recovery-key'];

export const backup: Command = {
  summary:
    'back up this installation to BACKUP_URL (init: make it ready; list: what is there; prove: restore it on trial; recovery-key: a new one, the former no longer opens anything)',
  usage: '[init|list|prove|recovery-key]',
  async run(args) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
    const [action = 'make'] = positionals;
    if (!ACTIONS.includes(action) || positionals.length > 1) {
      throw new Misused(`Unknown or extra words: ${positionals.join(' ')}`);
    }
    const settings = readSettings(process.env);
    const installation = await openInstallation(settings);
    try {
      if (action === 'list') {
        const { list } = await readOwnRepository(settings, installation);
        for (const { takenAt } of await list()) print(takenAt.toISOString());
        return 0;
      }
      if (action === 'prove') {
        const lines = await prove(settings, installation);
        print(['The latest backup was restored, opened and removed again:', ...lines].join('\n- '));
        return 0;
      }
      const { repository, recoveryKey, close } = await openOwnRepository(settings, installation, {
        mayMake: action === 'init',
      });
      try {
        if (recoveryKey) tellRecoveryKey(recoveryKey);
        else if (action === 'recovery-key') await repository.renewRecoveryKey(tellRecoveryKey);
        else if (action === 'init') print('Backups are set up already.');
        if (action === 'make') {
          tell(await makeBackup(await partsOf(settings, installation, repository)));
        }
        return 0;
      } finally {
        await close();
      }
    } catch (error) {
      throw KNOWN.some((kind) => error instanceof kind) ? new CommandError((error as Error).message) : error;
    } finally {
      await installation.close();
    }
  },
};

/** A backup may be made meanwhile: it is only read, but for a note of what is damaged. */
async function prove(
  settings: ReturnType<typeof readSettings>,
  installation: Installation,
): Promise<string[]> {
  const repository = await readOwnRepository(settings, installation);
  return proveBackup({
    ...{ settings, installation, repository, say: print },
    async condemn(chunk) {
      const { repository: own, close } = await openOwnRepository(settings, installation, { mayMake: false });
      await own.chunks.condemn(chunk).finally(close);
    },
  });
}

async function partsOf(
  settings: ReturnType<typeof readSettings>,
  installation: Installation,
  repository: Parameters<typeof makeBackup>[0]['repository'],
) {
  const say = (step: string) => print(`… ${step}`);
  return { settings, installation, repository, program: await programVersion(), say };
}

function tell({ takenAt, bytes, added, thinned, missing }: MadeBackup): void {
  print(
    `Backed up ${byteSize(bytes)} as of ${takenAt.toISOString()}; the repository grew by ${byteSize(added)}.`,
  );
  if (thinned.backups > 0) {
    print(`Removed ${countOf(thinned.backups, 'old backup')}, which freed ${byteSize(thinned.bytes)}.`);
  }
  if (missing.length > 0) print(['Not in this backup:', ...missing.map((each) => `- ${each}`)].join('\n'));
}

function tellRecoveryKey(recoveryKey: string): void {
  print(`The recovery key of these backups is

  ${recoveryKey}

Write it down now, and keep it apart from this machine. It is not shown again. Without it, or the passphrase
(BACKUP_PASSPHRASE), nobody can restore them.`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
