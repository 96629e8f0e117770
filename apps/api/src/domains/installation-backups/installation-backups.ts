import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { InstallationBackup } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { elsewhere } from '../../backup/elsewhere.ts';
import type { UserContext } from '../../core/context.ts';
import { conflict, unavailableSince } from '../../core/errors.ts';
import { type EngineCheck, off } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Part } from '../domain.ts';
import { isProofDue, lookAtBackups } from './look.ts';
import { latestRun, recordFailure } from './runs.ts';

const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url));
/** Characters of what a backup said that are logged. */
const SAID = 2000;
/** Milliseconds in which one begins, and between two looks whether it has. */
const BEGINS_MS = 20_000;
const LOOK_MS = 200;

const HOW = 'Set BACKUP_URL, and run nephos backup init once.';

type RunKind = InstallationBackup['kind'];

export interface InstallationBackups extends Part {
  /** Resolves once it runs. Throws 409 with what is against it. */
  begin(ctx: Pick<UserContext, 'db'>, kind: RunKind): Promise<InstallationBackup>;
}

/**
 * Backs the installation up each night, in a process of its own, where the settings say to where; once a week another
 * proves after it that the backup can be restored.
 */
export function createInstallationBackups({
  settings,
  db,
  log,
  jobs,
}: Pick<Platform, 'settings' | 'db' | 'log' | 'jobs'>): InstallationBackups {
  const { target, hour } = settings.backups;
  const running = new Set<ChildProcess>();

  /** Makes one in a process of its own. What it had to say when it ended: '' where all went well. */
  async function run(kind: RunKind): Promise<string> {
    const before = await latestRun(db, kind);
    const said = await runProcess(kind);
    if (said === '') return said;
    // What fails before it has a record of its own would be seen by nobody at night.
    await recordFailure(db, { kind, error: errorIn(said), before: before?.id }).catch((error: unknown) =>
      log.error({ err: error, kind }, 'that a backup failed could not be noted'),
    );
    return said;
  }

  async function runProcess(kind: RunKind): Promise<string> {
    const words = kind === 'proof' ? ['backup', 'prove'] : ['backup'];
    const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(child);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID);
    });
    try {
      const [code] = await once(child, 'close');
      if (code === 0) return '';
      log.error({ kind, code, said: said.trim() }, 'a backup of the installation failed');
      return said.trim() || (code === null ? 'It was ended.' : `It ended with code ${code}.`);
    } catch (error) {
      log.error({ err: error, kind }, 'a backup of the installation could not be started');
      return 'Its process could not be started.';
    } finally {
      running.delete(child);
    }
  }

  /** It may take hours, for which no job would wait: whether it went well stands in its row. */
  async function beginNightly(): Promise<void> {
    void (async () => {
      if ((await run('backup')) === '' && (await isProofDue(db))) await run('proof');
    })().catch((error) => log.error({ err: error }, 'the nightly backup was not ended'));
  }

  if (target) jobs.schedule('installation-backup', `0 ${hour} * * *`, beginNightly);
  return {
    // What it has kept by then is there for the next one.
    stop() {
      for (const child of running) child.kill();
    },
    engines: (): EngineCheck[] => [
      {
        id: 'backups',
        name: 'Backups of the installation',
        running: target ? `Nightly at ${hour}:00 UTC, to ${target}` : 'Not set up',
        settings: ['BACKUP_URL', 'BACKUP_HOUR'],
        look: () => (target ? lookAtBackups(db, elsewhere(settings)) : off(HOW)),
      },
    ],
    async begin({ db }, kind) {
      if (!target) throw conflict('BACKUPS_NOT_SET_UP', `Backups are not set up. ${HOW}`);
      const before = await latestRun(db, kind);
      if (before?.status === 'running') throw underWay(kind);
      return await begun(db, { kind, ended: run(kind), before: before?.id });
    },
  };
}

/** Without what is for who reads a terminal. */
const errorIn = (said: string) => said.replace(/^nephos \w+: /, '');

const underWay = (kind: RunKind) =>
  conflict('ALREADY_RUNNING', kind === 'proof' ? 'A trial restore is under way.' : 'A backup is under way.');

/** The record of a run that was started. Throws 409 where it failed at once. */
async function begun(
  db: Kysely<Database>,
  { kind, ended, before }: { kind: RunKind; ended: Promise<string>; before: string | undefined },
): Promise<InstallationBackup> {
  let said: string | undefined;
  void ended
    .catch(() => 'Its process could not be started.')
    .then((words) => {
      said = words;
    });
  for (const deadline = Date.now() + BEGINS_MS; Date.now() < deadline; await wait(LOOK_MS)) {
    const words = said;
    const latest = await latestRun(db, kind);
    if (latest && latest.id !== before && latest.status !== 'failed') return latest;
    if (words !== undefined) throw conflict('BACKUP_NOT_BEGUN', errorIn(words) || 'It has not begun.');
  }
  throw unavailableSince('a backup of the installation did not begin in time');
}
