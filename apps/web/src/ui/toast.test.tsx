import { TOAST_REMOVE_DELAY } from '@nephos/contracts/constants';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dialog, DialogContent } from './dialog.tsx';
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

function OpenDialog() {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogContent title="Add Record">
        <input aria-label="Value" />
      </DialogContent>
    </Dialog>
  );
}

test('one Escape closes the dialog that a toast came up over', async () => {
  const user = userEvent.setup({ delay: null });
  render(
    <>
      <ToastHost />
      <OpenDialog />
    </>,
  );
  await user.click(screen.getByLabelText('Value'));
  act(() => toast({ title: 'Error', description: 'Failed to create DNS record', variant: 'destructive' }));
  await screen.findByText('Failed to create DNS record');
  await user.keyboard('{Escape}');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an Escape in a toast closes the toast alone', async () => {
  const user = userEvent.setup({ delay: null });
  render(<ToastHost />);
  act(() => toast({ title: 'Saved' }));
  const dismiss = await screen.findByRole('button', { name: 'Dismiss' });
  const pressed = vi.fn();
  document.body.addEventListener('keydown', pressed);
  act(() => dismiss.focus());
  await user.keyboard('{Escape}');
  expect(screen.queryByText('Saved')).toBeNull();
  expect(pressed).toHaveBeenCalledOnce();
  document.body.removeEventListener('keydown', pressed);
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
