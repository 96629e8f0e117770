import { SEARCH_MAX } from '@nephos/contracts/constants';

/** Words that a page's address asks for; undefined: none. */
export function searchWords(value: unknown): string | undefined {
  // A number that was typed comes back as one.
  const words = typeof value === 'number' ? String(value) : value;
  return typeof words === 'string' && words.trim() !== '' ? words.slice(0, SEARCH_MAX) : undefined;
}
