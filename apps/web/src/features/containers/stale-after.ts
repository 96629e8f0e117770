/**
 * Milliseconds after which what was fetched of the registry is fetched again on the next visit. Unlike the rest of the
 * console's data, it changes from outside: by pushes and pulls.
 */
export const STALE_AFTER = 2000;
