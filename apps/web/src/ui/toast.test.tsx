import { TOAST_REMOVE_DELAY } from '@nephos/contracts/constants';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, toast, toastStore } from './toast.ts';
import { ToastHost } from './toast-host.tsx';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  cleanup();
  dismissToast();
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY);
  vi.useRealTimers();
});

test('a later toast takes the place of an earlier one', async () => {
  render(<ToastHost />);
  act(() => toast({ title: 'First' }));
  expect(await screen.findByText('First')).toBeDefined();
  act(() => toast({ title: 'Error', description: 'Failed to create project', variant: 'destructive' }));
  expect(await screen.findByText('Failed to create project')).toBeDefined();
  expect(screen.queryByText('First')).toBeNull();
});

test('a dismissed toast is hidden at once and removed after 1000000 ms', async () => {
  render(<ToastHost />);
  act(() => toast({ title: 'Project created successfully' }));
  await screen.findByText('Project created successfully');
  await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Project created successfully')).toBeNull();

  act(() => vi.advanceTimersByTime(TOAST_REMOVE_DELAY - 1000));
  expect(toastStore.get()).toMatchObject({ title: 'Project created successfully', open: false });
  act(() => vi.advanceTimersByTime(1000));
  expect(toastStore.get()).toBeNull();
});

test('a new toast outlives the removal of the dismissed one before it', () => {
  toast({ title: 'Old' });
  dismissToast();
  toast({ title: 'New' });
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY);
  expect(toastStore.get()).toMatchObject({ title: 'New', open: true });
});
