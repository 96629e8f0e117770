import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { byteSize } from '../../platform/byte-size.ts';
import { type EngineCheck, type Finding, healthy, off, unhealthy } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Part } from '../domain.ts';

const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url));
/** Hours after which the latest backup is too old: a day, and what one may take. */
const MOST_HOURS = 30;
/** Characters of what a backup said that are logged. */
const SAID = 2000;

/** Backs the installation up each night, in a process of its own, where the settings say to where. */
export function createInstallationBackups({
  settings,
  db,
  log,
  jobs,
}: Pick<Platform, 'settings' | 'db' | 'log' | 'jobs'>): Part {
  const { target, hour } = settings.backups;
  let running: ChildProcess | undefined;

  /** It may take hours, for which no job would wait: whether it went well stands in its row. */
  async function begin(): Promise<void> {
    const child = spawn(process.execPath, [CLI, 'backup'], { stdio: ['ignore', 'ignore', 'pipe'] });
    running = child;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID);
    });
    child.once('error', (error) => log.error({ err: error }, 'the nightly backup could not be started'));
    child.once('close', (code) => {
      if (running === child) running = undefined;
      if (code !== 0) log.error({ code, said: said.trim() }, 'the nightly backup failed');
    });
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
        settings: ['BACKUP_TARGET', 'BACKUP_HOUR'],
        look: () => (target ? lookAtBackups(db) : off('Set BACKUP_TARGET, and run nephos backup init once.')),
      },
    ],
  };
}

async function lookAtBackups(db: Kysely<Database>): Promise<Finding> {
  const backups = db.selectFrom('installationBackups').where('kind', '=', 'backup');
  const done = await backups
    .where('status', '=', 'done')
    .select(['startedAt', 'bytes', 'added', 'missing'])
    .select(sql<boolean>`started_at < clock_timestamp() - make_interval(hours => ${MOST_HOURS})`.as('isOld'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const latest = await backups
    .select(['status', 'error', 'step'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const now = latest?.status === 'running' ? ` One is being made: ${latest.step}.` : '';
  const failed = latest?.status === 'failed' ? ` The one after it failed: ${latest.error}` : '';
  if (!done) return unhealthy(`None yet: run nephos backup.${latest?.error ? ` ${latest.error}` : ''}${now}`);
  const { startedAt, bytes, added, missing, isOld } = done;
  const moment = startedAt.slice(0, 16).replace('T', ' ');
  const last = `Last: ${moment} UTC, ${byteSize(bytes ?? 0)}, of which ${byteSize(added ?? 0)} were new.`;
  const without = missing.length > 0 ? ` ${missing.join(' ')}` : '';
  const said = `${last}${failed}${now}${without}`;
  return isOld || failed !== '' ? unhealthy(said) : healthy(said);
}
