const STORAGE_KEY = 'reloaded-for-upgrade';

/** Milliseconds within which a second failure is no upgrade but something broken, and is shown. */
const PATIENCE = 30_000;

/**
 * A page that was open while the console was upgraded asks for parts that are no longer there: it is loaded anew, once.
 */
export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
    if (Date.now() - last < PATIENCE) return;
    event.preventDefault();
    void reloadIfServed();
  });
}

/** A reload while the server does not answer would put the browser's own error in place of the page. */
async function reloadIfServed(): Promise<void> {
  const answer = await fetch('/healthz').catch(() => undefined);
  if (!answer?.ok) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}
