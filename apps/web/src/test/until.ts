import { vi } from 'vitest';

/** What `look` finds once it finds something: a busy machine takes its time, as for every search of a page. */
export function until<T>(look: () => T) {
  return vi.waitUntil(look, { timeout: 15_000 });
}
