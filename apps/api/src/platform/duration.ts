/** Milliseconds for people: `1.5 seconds`, `1 minute`. */
export function duration(ms: number): string {
  const [value, unit] = ms >= 60_000 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${Number(value.toFixed(1))} ${unit}${value === 1 ? '' : 's'}`;
}
