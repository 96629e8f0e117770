import { Cron } from 'croner';
import { invalid } from '../../core/errors.ts';
import { isTimeZone } from '../../platform/time-zone.ts';

/** When a job is due. */
export interface Schedule {
  /** Minute, hour, day of the month, month, day of the week. */
  schedule: string;
  /** An IANA name. */
  timeZone: string;
}

/** Due times that passed without a run. */
export interface Missed {
  first: Date;
  last: Date;
  /** At most `MOST_COUNTED`. */
  count: number;
}

/** What of a job's due times has come since its last turn. */
export interface Turn {
  /** Due just now. */
  onTime: Date | null;
  missed: Missed | null;
  /** When it is due again; null: never. */
  next: Date | null;
}

/** Milliseconds by which a run may begin late and still be on time. */
export const ON_TIME_MS = 60_000;
export const MOST_COUNTED = 1000;

const FIVE =
  'A schedule has five fields: minute, hour, day of the month, month and day of the week, like 0 3 * * *.';

/** Reads a schedule; throws 400 with a sentence at its field. */
export function readSchedule({ schedule, timeZone }: Schedule): Cron {
  if (!isTimeZone(timeZone)) {
    throw refused('timeZone', `${timeZone} is not a known time zone. Enter one like Europe/Berlin or UTC.`);
  }
  if (schedule.split(/\s+/).length !== 5) throw refused('schedule', FIVE);
  const cron = parse(schedule, timeZone);
  if (!cron.nextRun()) throw refused('schedule', 'This schedule never comes due: there is no such date.');
  return cron;
}

/** The next `count` times after an instant at which it is due. */
export function nextRuns(schedule: Schedule, after: Date, count: number): Date[] {
  return readSchedule(schedule).nextRuns(count, after);
}

/** What of a schedule has come due from `due`, its next time as it was known, until `now`. */
export function turnOf(schedule: Schedule, due: Date, now: Date): Turn {
  const cron = readSchedule(schedule);
  const passed = [due];
  for (let next = cron.nextRun(due); next && next <= now; next = cron.nextRun(next)) {
    passed.push(next);
    if (passed.length > MOST_COUNTED) break;
  }
  const last = (passed.length > MOST_COUNTED && cron.previousRuns(1, now)[0]) || (passed.at(-1) ?? due);
  const isOnTime = now.getTime() - last.getTime() <= ON_TIME_MS;
  const missed = isOnTime ? passed.slice(0, -1) : passed;
  const lastMissed = isOnTime ? missed.at(-1) : last;
  return {
    onTime: isOnTime ? last : null,
    missed: lastMissed
      ? { first: due, last: lastMissed, count: Math.min(missed.length, MOST_COUNTED) }
      : null,
    next: cron.nextRun(now),
  };
}

function parse(schedule: string, timeZone: string): Cron {
  try {
    return new Cron(schedule, { timezone: timeZone, mode: '5-part' });
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : '';
    throw refused(
      'schedule',
      `This schedule can't be read: ${said.charAt(0).toLowerCase()}${said.slice(1)}.`,
    );
  }
}

function refused(path: string, message: string) {
  return invalid(message, [{ path, message }]);
}
