import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { elsewhere } from '../../backup/elsewhere.ts';
import { type EngineCheck, off } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Part } from '../domain.ts';
import { isProofDue, lookAtBackups } from './look.ts';

const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url));
/** Characters of what a backup said that are logged. */
const SAID = 2000;

/**
 * Backs the installation up each night, in a process of its own, where the settings say to where; once a week another
 * proves after it that the backup can be restored.
 */
export function createInstallationBackups({
  settings,
  db,
  log,
  jobs,
}: Pick<Platform, 'settings' | 'db' | 'log' | 'jobs'>): Part {
  const { target, hour } = settings.backups;
  let running: ChildProcess | undefined;

  /** Resolves to whether it went well. */
  async function run(what: 'backup' | 'proof'): Promise<boolean> {
    const words = what === 'proof' ? ['backup', 'prove'] : ['backup'];
    const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    running = child;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID);
    });
    child.once('error', (error) =>
      log.error({ err: error, what }, 'what is made nightly could not be started'),
    );
    const [code] = await once(child, 'close');
    if (running === child) running = undefined;
    if (code !== 0) log.error({ what, code, said: said.trim() }, 'what is made nightly failed');
    return code === 0;
  }

  /** It may take hours, for which no job would wait: whether it went well stands in its row. */
  async function begin(): Promise<void> {
    void (async () => {
      if ((await run('backup')) && (await isProofDue(db))) await run('proof');
    })().catch((error) => log.error({ err: error }, 'the nightly backup was not ended'));
  }

  if (target) jobs.schedule('installation-backup', `0 ${hour} * * *`, begin);
  return {
    // What it has kept by then is there for the next one.
    stop: () => void running?.kill(),
    engines: (): EngineCheck[] => [
      {
        id: 'backups',
        name: 'Backups of the installation',
        running: target ? `Nightly at ${hour}:00 UTC, to ${target}` : 'Not set up',
        settings: ['BACKUP_URL', 'BACKUP_HOUR'],
        look: () =>
          target
            ? lookAtBackups(db, elsewhere(settings))
            : off('Set BACKUP_URL, and run nephos backup init once.'),
      },
    ],
  };
}
