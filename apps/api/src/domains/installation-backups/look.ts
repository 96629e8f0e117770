import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { byteSize } from '../../platform/byte-size.ts';
import { type Finding, healthy, unhealthy } from '../../platform/engine-check.ts';
import { latestRun } from './runs.ts';

/** Hours after which the latest backup is too old: a day, and what one may take. */
const MOST_HOURS = 30;
/** Hours after a proof when the next one is due, after one that failed, and after which the last one is too old. */
const PROOF = { due: 7 * 24 - 12, again: 20, old: 8 * 24 + 12 };

const olderThan = (hours: number) =>
  sql<boolean>`(started_at < clock_timestamp() - make_interval(hours => ${hours}))`;

/** Whether it is a week since a backup was last proved, and not just tried. */
export async function isProofDue(db: Kysely<Database>): Promise<boolean> {
  const recent = await db
    .selectFrom('installationBackups')
    .where('kind', '=', 'proof')
    .where(sql<boolean>`(not ${olderThan(PROOF.again)} or status = 'done' and not ${olderThan(PROOF.due)})`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return recent === undefined;
}

/**
 * What the admin page says of the latest backup and the latest proof. A backup that lacks anything but `elsewhere`, which
 * the settings leave to others, is not well.
 */
export async function lookAtBackups(db: Kysely<Database>, elsewhere: readonly string[]): Promise<Finding> {
  const [done, latest, proof] = await Promise.all([
    db
      .selectFrom('installationBackups')
      .where('kind', '=', 'backup')
      .where('status', '=', 'done')
      .select(['startedAt', 'bytes', 'added', 'missing'])
      .select(olderThan(MOST_HOURS).as('isOld'))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    latestRun(db, 'backup'),
    lookAtProofs(db),
  ]);
  const now = latest?.status === 'running' ? ` One is being made: ${latest.step}.` : '';
  const failed = latest?.status === 'failed' ? ` The one after it failed: ${latest.error}` : '';
  if (!done) return unhealthy(`None yet: run nephos backup.${latest?.error ? ` ${latest.error}` : ''}${now}`);
  const { startedAt, bytes, added, missing, isOld } = done;
  const last = `Last: ${momentOf(startedAt)}, ${byteSize(bytes ?? 0)}; the repository grew by ${byteSize(added ?? 0)}.`;
  const without = missing.length > 0 ? ` Not all is in it. ${missing.join(' ')}` : '';
  const isWhole = missing.every((sentence) => elsewhere.includes(sentence));
  const said = `${last}${failed}${now} ${proof.detail}${without}`;
  return isOld || failed !== '' || !isWhole || !proof.isWell ? unhealthy(said) : healthy(said);
}

const momentOf = (instant: string) => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

async function lookAtProofs(db: Kysely<Database>): Promise<{ detail: string; isWell: boolean }> {
  const [done, latest, late] = await Promise.all([
    db
      .selectFrom('installationBackups')
      .where('kind', '=', 'proof')
      .where('status', '=', 'done')
      .select('startedAt')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    latestRun(db, 'proof'),
    isLate(db),
  ]);
  const last = done ? `Restored on trial: ${momentOf(done.startedAt)}.` : 'Not restored on trial yet.';
  const now = latest?.status === 'running' ? ` A trial goes on: ${latest.step}.` : '';
  const failed =
    latest?.status === 'failed' ? ` The trial of ${momentOf(latest.startedAt)} failed: ${latest.error}` : '';
  return { detail: `${last}${now}${failed}`, isWell: failed === '' && !late };
}

/** Whether there are backups for so long that one should have been proved since. */
async function isLate(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ late: boolean }>`
    select coalesce(bool_or(kind = 'backup' and ${olderThan(PROOF.old)}), false)
      and not coalesce(bool_or(kind = 'proof' and not ${olderThan(PROOF.old)}), false) as late
    from installation_backups where status = 'done'`.execute(db);
  return rows[0]?.late ?? false;
}
