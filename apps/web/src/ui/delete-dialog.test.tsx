import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DeleteDialog, type DeleteDialogProps } from './delete-dialog.tsx';

afterEach(cleanup);

function show(changes: Partial<DeleteDialogProps>) {
  render(
    <DeleteDialog
      title="Delete project?"
      description="Its app, releases and logs are deleted."
      name="storefront"
      label="Delete project"
      action={{ pending: false, refusal: undefined }}
      onConfirm={() => {}}
      {...changes}
    />,
  );
}

test('its button opens it, and the end of the write closes it', async () => {
  show({
    onConfirm: (close) => close(),
    trigger: (open) => (
      <button type="button" onClick={open}>
        Delete
      </button>
    ),
  });
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await userEvent.type(screen.getByRole('textbox'), 'storefront{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('without a button it is open for as long as it is there, and says that it was left', async () => {
  const onClose = vi.fn();
  const onConfirm = vi.fn();
  show({ onClose, onConfirm });
  await userEvent.type(screen.getByRole('textbox'), 'storefront{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('a refusal is said in it, from the try on that it answers', async () => {
  show({ action: { pending: false, refusal: 'An NS record names it.' } });
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.type(screen.getByRole('textbox'), 'storefront');
  await userEvent.click(screen.getByRole('button', { name: 'Delete project' }));
  expect(screen.getByRole('alert').textContent).toBe('An NS record names it.');
});

test('only the name of the thing confirms', async () => {
  const onConfirm = vi.fn();
  show({ onConfirm });
  const field = screen.getByRole('textbox', { name: 'Type storefront to confirm' });
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete project' });
  await userEvent.type(field, 'storefron{Enter}');
  expect(button.disabled).toBe(true);
  expect(onConfirm).not.toHaveBeenCalled();

  await userEvent.type(field, 't');
  expect(button.disabled).toBe(false);
  await userEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});
