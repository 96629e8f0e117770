/** Cents, whole or not, in the dollars that payments and administrators are shown; the only place that converts them. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}
