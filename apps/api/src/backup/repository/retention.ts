import type { BackupName } from './repository.ts';

/** How many of the last days, weeks and months keep their newest backup, and the hours before the newest that keep all. */
export interface Retention {
  hours: number;
  days: number;
  weeks: number;
  months: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
/** Weeks begin on Monday, as day 4 of 1970 did. */
const weekOf = (moment: Date) => String(Math.floor((moment.getTime() / DAY_MS + 3) / 7));
const monthOf = (moment: Date) => moment.toISOString().slice(0, 7);

/** Of backups, the newest first, those that nothing keeps. The newest of all is always kept. */
export function superfluous(
  backups: readonly BackupName[],
  { hours, days, weeks, months }: Retention,
): BackupName[] {
  const since = (backups[0]?.takenAt.getTime() ?? 0) - hours * HOUR_MS;
  const kept = new Set(backups.filter(({ takenAt }) => takenAt.getTime() >= since));
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
