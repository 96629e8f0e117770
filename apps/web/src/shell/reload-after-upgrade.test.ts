import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { reloadAfterUpgrade } from './reload-after-upgrade.ts';

beforeAll(reloadAfterUpgrade);
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function failToLoad() {
  const event = new Event('vite:preloadError', { cancelable: true });
  window.dispatchEvent(event);
  await vi.advanceTimersByTimeAsync(0);
  return event;
}

test('a part that is gone reloads the page, but not again and again', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  vi.spyOn(window, 'fetch').mockImplementation(async () => Response.json({ status: 'ok' }));
  vi.useFakeTimers();
  expect((await failToLoad()).defaultPrevented).toBe(true);
  expect((await failToLoad()).defaultPrevented).toBe(false);
  expect(reload).toHaveBeenCalledOnce();

  vi.advanceTimersByTime(60_000);
  await failToLoad();
  expect(reload).toHaveBeenCalledTimes(2);
});

test('while the server does not answer, the page stays', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  const fetch = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  vi.useFakeTimers();
  await failToLoad();
  expect(fetch).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
});
