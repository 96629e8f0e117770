import type { BackupName } from './repository.ts';

/** How many of the last days, weeks and months keep their newest backup. */
export interface Retention {
  days: number;
  weeks: number;
  months: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
/** Weeks begin on Monday, as day 4 of 1970 did. */
const weekOf = (moment: Date) => String(Math.floor((moment.getTime() / DAY_MS + 3) / 7));
const monthOf = (moment: Date) => moment.toISOString().slice(0, 7);

/** Of backups, the newest first, those that nothing keeps. The newest of all is always kept. */
export function superfluous(
  backups: readonly BackupName[],
  { days, weeks, months }: Retention,
): BackupName[] {
  const kept = new Set(backups.slice(0, 1));
  for (const [periodOf, count] of [
    [dayOf, days],
    [weekOf, weeks],
    [monthOf, months],
  ] as const) {
    const periods = new Set<string>();
    for (const backup of backups) {
      const period = periodOf(backup.takenAt);
      if (periods.has(period) || periods.size === count) continue;
      periods.add(period);
      kept.add(backup);
    }
  }
  return backups.filter((backup) => !kept.has(backup));
}
