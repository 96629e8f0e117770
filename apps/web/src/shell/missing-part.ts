import { fetchAgain } from '../lib/fetch-again.ts';

/** Holds which version of the console the page was loaded anew for. */
const STORAGE_KEY = 'reloaded-for';

/** Holds when the page was loaded anew for a part that was lost on the way, in milliseconds since 1970. */
const LOST_KEY = 'reloaded-at';
/** What is missing again after so many of these in a minute is not lost by chance. */
const MOST_RELOADS = 3;
const MINUTE = 60_000;

const missing = new WeakSet<object>();

/**
 * Notes which errors say that a part of the console could not be loaded, as after an upgrade under an open page. Call
 * it once, before the first part is asked for.
 */
export function watchForMissingParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload);
    // By the browsers' own words the router would load the page anew at once, though the server may be away.
    payload.message = `A part of the console could not be loaded: ${payload.message}`;
  });
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

/** What the server has: another version of the console, that of this page, or no answer. */
export type Served = 'newer' | 'same' | 'away';

/** Asks what the server has, and loads the page anew where that is another version: once for each, lest it goes on. */
export async function findNewVersion(): Promise<Served | 'reloading'> {
  const entry = await servedEntry();
  if (entry === undefined) return 'away';
  if (entry === entryOf(document)) return 'same';
  if (sessionStorage.getItem(STORAGE_KEY) === entry) return 'newer';
  sessionStorage.setItem(STORAGE_KEY, entry);
  window.location.reload();
  return 'reloading';
}

/**
 * As `findNewVersion`, in the place of a page that could not be loaded: what the server has was lost on the way, and
 * browsers do not ask twice for the parts of one page. So it is loaded anew, three times a minute at most.
 */
export async function recoverPage(): Promise<Served | 'reloading'> {
  const served = await findNewVersion();
  if (served !== 'same') return served;
  const now = Date.now();
  const stored = sessionStorage.getItem(LOST_KEY) ?? '';
  const recent = stored.split(' ').filter((at) => now - Number(at) < MINUTE);
  if (recent.length >= MOST_RELOADS) return served;
  sessionStorage.setItem(LOST_KEY, [...recent, now].join(' '));
  window.location.reload();
  return 'reloading';
}

/** Loads the page anew, unless that would put the browser's own error in its place. */
export async function reloadIfServed(): Promise<boolean> {
  const served = (await servedEntry()) !== undefined;
  if (served) window.location.reload();
  return served;
}

/** The addresses of the scripts that the server's page begins with, one of which changes with every part. */
async function servedEntry(): Promise<string | undefined> {
  const answer = await fetchAgain('/', { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(
    () => undefined,
  );
  const html = answer?.ok ? await answer.text().catch(() => '') : '';
  return entryOf(new DOMParser().parseFromString(html, 'text/html'));
}

function entryOf(page: Document): string | undefined {
  const scripts = [...page.querySelectorAll('script[type="module"]')];
  return scripts.length === 0 ? undefined : scripts.map((script) => script.getAttribute('src')).join(' ');
}
