/** A newest-first list with one of its rows replaced, or added where it belongs: ids grow with time. */
export function withRow<T extends { id: string }>(list: readonly T[], changed: T): T[] {
  const others = list.filter((row) => row.id !== changed.id);
  return [...others, changed].sort((a, b) => (a.id < b.id ? 1 : -1));
}
