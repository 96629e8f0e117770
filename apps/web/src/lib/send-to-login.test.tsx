import { LOGIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, toast } from '../ui/toast.ts';
import { ToastHost } from '../ui/toast-host.tsx';
import { sendToLogin } from './send-to-login.ts';

const LONG = LOGIN_REDIRECT_DELAY * 20;
/** Beyond a frame, whose length is the browser's own. */
const FRAME = 20;

function passTime(milliseconds: number) {
  act(() => void vi.advanceTimersByTime(milliseconds));
}

function watchLeaving() {
  window.history.replaceState(null, '', '/deployments');
  return vi.spyOn(window.location, 'assign').mockImplementation(() => {});
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  dismissToast();
  passTime(LONG);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('however many calls were refused, the browser leaves once, half a second after it was said', () => {
  const goTo = watchLeaving();
  sendToLogin();
  sendToLogin();
  passTime(LONG);
  expect(goTo).not.toHaveBeenCalled();

  render(<ToastHost />);
  expect(screen.getByText('You are logged out. Logging in again...')).toBeDefined();
  passTime(LOGIN_REDIRECT_DELAY - 1);
  expect(goTo).not.toHaveBeenCalled();
  sendToLogin();
  passTime(LONG);
  expect(goTo).toHaveBeenCalledExactlyOnceWith('/api/login?returnTo=%2Fdeployments');
});

test('another toast in its place keeps nobody from leaving', () => {
  const goTo = watchLeaving();
  sendToLogin();
  act(() => toast({ title: 'Error', description: 'Failed to create project' }));
  passTime(LOGIN_REDIRECT_DELAY + FRAME);
  expect(goTo).toHaveBeenCalledOnce();
});
