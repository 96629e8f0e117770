import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { reloadAfterUpgrade } from './reload-after-upgrade.ts';

beforeAll(reloadAfterUpgrade);
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function failToLoad() {
  const event = new Event('vite:preloadError', { cancelable: true });
  window.dispatchEvent(event);
  return event;
}

test('a part that is gone reloads the page, but not again and again', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  vi.useFakeTimers();
  expect(failToLoad().defaultPrevented).toBe(true);
  expect(failToLoad().defaultPrevented).toBe(false);
  expect(reload).toHaveBeenCalledOnce();

  vi.advanceTimersByTime(60_000);
  failToLoad();
  expect(reload).toHaveBeenCalledTimes(2);
});
