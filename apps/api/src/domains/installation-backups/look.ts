import type { InstallationBackup } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { byteSize } from '../../platform/byte-size.ts';
import { type Finding, healthy, unhealthy } from '../../platform/engine-check.ts';
import { latestEnded, latestRun } from './runs.ts';

/** Hours after which the latest backup is too old: a day, and what one may take. */
const MOST_HOURS = 30;
/** Hours after a proof when the next one is due, after one that failed, and after which the last one is too old. */
const PROOF = { due: 7 * 24 - 12, again: 20, old: 8 * 24 + 12 };
/** Sentences about what is missing that an alert repeats. */
const TOLD = 3;

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

/** Of each kind the latest that ended well, and that ended; and whether there should have been a proof since. */
async function readState(db: Kysely<Database>) {
  const lastDone = (kind: InstallationBackup['kind']) =>
    db
      .selectFrom('installationBackups')
      .where('kind', '=', kind)
      .where('status', '=', 'done')
      .select(['startedAt', 'bytes', 'added', 'missing'])
      .select(olderThan(MOST_HOURS).as('isOld'))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  const [backup, ended, proof, endedProof, isProofLate] = await Promise.all([
    lastDone('backup'),
    latestEnded(db, 'backup'),
    lastDone('proof'),
    latestEnded(db, 'proof'),
    isLate(db),
  ]);
  return { backup, ended, proof, endedProof, isProofLate };
}

/** Whether there are backups for so long that one should have been proved since. */
async function isLate(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ late: boolean }>`
    select coalesce(bool_or(kind = 'backup' and ${olderThan(PROOF.old)}), false)
      and not coalesce(bool_or(kind = 'proof' and not ${olderThan(PROOF.old)}), false) as late
    from installation_backups where status = 'done'`.execute(db);
  return rows[0]?.late ?? false;
}

type State = Awaited<ReturnType<typeof readState>>;

const momentOf = (instant: string) => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

/** What is wrong, in sentences; none before anybody tried to make one. `elsewhere` is what the settings leave to others. */
function problemsOf(
  { backup, ended, endedProof, isProofLate }: State,
  elsewhere: readonly string[],
): string[] {
  const problems: string[] = [];
  if (ended?.status === 'failed') problems.push(`The last backup failed: ${ended.error}`);
  if (backup?.isOld) problems.push(`The latest backup is of ${momentOf(backup.startedAt)}.`);
  const missing = (backup?.missing ?? []).filter((sentence) => !elsewhere.includes(sentence));
  if (missing.length > 0)
    problems.push(`Not all is in the latest backup. ${missing.slice(0, TOLD).join(' ')}`);
  if (endedProof?.status === 'failed')
    problems.push(`The last trial restore of a backup failed: ${endedProof.error}`);
  else if (isProofLate) problems.push('No backup was restored on trial for more than a week.');
  return problems;
}

/** What is wrong with the backups of the installation, in sentences for its administrators. */
export async function problemsOfBackups(
  db: Kysely<Database>,
  elsewhere: readonly string[],
): Promise<string[]> {
  return problemsOf(await readState(db), elsewhere);
}

const stepOf = ({ step }: InstallationBackup) => (step === '' ? '' : `: ${step}`);

/** What the admin page says of the latest backup and the latest proof. */
export async function lookAtBackups(db: Kysely<Database>, elsewhere: readonly string[]): Promise<Finding> {
  const [state, latest, latestProof] = await Promise.all([
    readState(db),
    latestRun(db, 'backup'),
    latestRun(db, 'proof'),
  ]);
  const { backup, ended, proof, endedProof } = state;
  const now = latest?.status === 'running' ? ` One is being made${stepOf(latest)}.` : '';
  const failed = ended?.status === 'failed' ? ` The one after it failed: ${ended.error}` : '';
  if (!backup) return unhealthy(`None yet: run nephos backup.${ended ? ` ${ended.error}` : ''}${now}`);
  const { startedAt, bytes, added, missing } = backup;
  const last = `Last: ${momentOf(startedAt)}, ${byteSize(bytes ?? 0)}; the repository grew by ${byteSize(added ?? 0)}.`;
  const proved = proof ? `Restored on trial: ${momentOf(proof.startedAt)}.` : 'Not restored on trial yet.';
  const trial = latestProof?.status === 'running' ? ` A trial goes on${stepOf(latestProof)}.` : '';
  const refuted =
    endedProof?.status === 'failed'
      ? ` The trial of ${momentOf(endedProof.startedAt)} failed: ${endedProof.error}`
      : '';
  const without = missing.length > 0 ? ` Not all is in it. ${missing.join(' ')}` : '';
  const said = `${last}${failed}${now} ${proved}${trial}${refuted}${without}`;
  return problemsOf(state, elsewhere).length > 0 ? unhealthy(said) : healthy(said);
}
