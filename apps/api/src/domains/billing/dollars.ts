/** Cents, whole or not, in the dollars that administrators are shown undivided; the only place that converts them. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}
