const number = new Intl.NumberFormat('en');

/** As in `1 row` and `2,400 rows`. */
export function countOf(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
