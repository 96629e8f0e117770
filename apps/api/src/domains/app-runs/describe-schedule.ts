const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
/** What a schedule is called that has no short words. */
const CUSTOM = 'Custom schedule';

/** A cron expression of five fields in words, for example `Every day at 03:00`. */
export function describeSchedule(schedule: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.trim().split(/\s+/);
  const everyDay = day === '*' && month === '*' && weekday === '*';
  if (everyDay && hour === '*') return everyHour(minute);
  if (everyDay && /^\*\/\d+$/.test(hour)) return everyFewHours(minute, Number(hour.slice(2)));
  const times = timesOf(minute, hour);
  const days = daysOf(day, month, weekday);
  return times && days ? `${days} at ${times}` : CUSTOM;
}

function everyHour(minute: string): string {
  if (minute === '*') return 'Every minute';
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (step) {
    if (step === '1') return 'Every minute';
    return 60 % Number(step) === 0 ? `Every ${step} minutes` : CUSTOM;
  }
  if (!isNumber(minute)) return CUSTOM;
  return Number(minute) === 0 ? 'Every hour' : `Every hour at minute ${Number(minute)}`;
}

function everyFewHours(minute: string, step: number): string {
  if (!isNumber(minute) || step === 0 || 24 % step !== 0) return CUSTOM;
  const every = step === 1 ? 'Every hour' : `Every ${step} hours`;
  return Number(minute) === 0 ? every : `${every} at minute ${Number(minute)}`;
}

/** For example `03:00 and 15:00`; undefined where there are many, or a pattern of them. */
function timesOf(minute: string, hour: string): string | undefined {
  const hours = hour.split(',');
  if (!isNumber(minute) || !hours.every(isNumber) || hours.length > 4) return undefined;
  return listed(hours.map((one) => `${one.padStart(2, '0')}:${minute.padStart(2, '0')}`));
}

function daysOf(day: string, month: string, weekday: string): string | undefined {
  if (day === '*' && month === '*') return weekdaysOf(weekday);
  if (weekday !== '*' || !isNumber(day)) return undefined;
  if (month === '*') return `On day ${Number(day)} of every month`;
  const name = MONTHS.find((one, index) => month === String(index + 1) || isShort(month, one));
  return name && `Every year on ${name} ${Number(day)}`;
}

function weekdaysOf(weekday: string): string | undefined {
  if (weekday === '*') return 'Every day';
  if (/^(1-5|mon-fri)$/i.test(weekday)) return 'Monday to Friday';
  const names = weekday
    .split(',')
    .map((one) => DAYS.find((name, index) => Number(one || Number.NaN) % 7 === index || isShort(one, name)));
  if (names.includes(undefined)) return undefined;
  return `Every ${listed(names.flatMap((name) => name ?? []))}`;
}

function isNumber(field: string): boolean {
  return /^\d{1,2}$/.test(field);
}

function isShort(field: string, name: string): boolean {
  return field.toLowerCase() === name.slice(0, 3).toLowerCase();
}

function listed(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}
