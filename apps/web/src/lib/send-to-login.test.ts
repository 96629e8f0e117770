import { LOGIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendToLogin } from './send-to-login.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('however many calls were refused, the browser leaves once, after half a second', () => {
  const goTo = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  window.history.replaceState(null, '', '/deployments');
  sendToLogin();
  vi.advanceTimersByTime(LOGIN_REDIRECT_DELAY - 1);
  sendToLogin();
  expect(goTo).not.toHaveBeenCalled();
  vi.advanceTimersByTime(LOGIN_REDIRECT_DELAY);
  expect(goTo).toHaveBeenCalledExactlyOnceWith('/api/login?returnTo=%2Fdeployments');
});
