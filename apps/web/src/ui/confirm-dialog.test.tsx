import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfirmDialog } from './confirm-dialog.tsx';

afterEach(cleanup);

function show(onConfirm: () => void, refusal?: string) {
  render(
    <ConfirmDialog
      refusal={refusal}
      open
      onOpenChange={() => {}}
      title="Delete project?"
      description="Its app, releases and logs are deleted."
      name="storefront"
      confirmLabel="Delete project"
      onConfirm={onConfirm}
    />,
  );
  return {
    field: screen.getByRole('textbox', { name: 'Type storefront to confirm' }),
    button: screen.getByRole<HTMLButtonElement>('button', { name: 'Delete project' }),
  };
}

test('a refusal is said in it, from the try on that it answers', async () => {
  const { field, button } = show(() => {}, 'An NS record names it.');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.type(field, 'storefront');
  await userEvent.click(button);
  expect(screen.getByRole('alert').textContent).toBe('An NS record names it.');
});

test('only the name of the thing confirms', async () => {
  const onConfirm = vi.fn();
  const { field, button } = show(onConfirm);
  await userEvent.type(field, 'storefron{Enter}');
  expect(button.disabled).toBe(true);
  expect(onConfirm).not.toHaveBeenCalled();

  await userEvent.type(field, 't');
  expect(button.disabled).toBe(false);
  await userEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});
