const BASE = 1024;
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes for people, base 1024: `12 B`, `1.50 KB`, `10 GB`. Two decimals, none where it is whole. */
export function byteSize(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // What would be written as 1024.00 is one of the next unit.
  while (Number(amount.toFixed(2)) >= BASE && unit < UNITS.length - 1) {
    amount /= BASE;
    unit += 1;
  }
  return `${amount.toFixed(2).replace(/\.00$/, '')} ${UNITS[unit]}`;
}
