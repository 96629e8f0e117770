import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { Input } from './input.tsx';

afterEach(cleanup);

function show(changes: Partial<FormDialogProps> = {}) {
  const onSubmit = vi.fn();
  const onClose = vi.fn();
  render(
    <FormDialog
      title="New Project"
      label="Create"
      ready
      action={{ pending: false, refusal: undefined }}
      onSubmit={onSubmit}
      onClose={onClose}
      {...changes}
    >
      <Input aria-label="Name" />
    </FormDialog>,
  );
  return { onSubmit, onClose };
}

test('Enter in a field sends what can be sent', async () => {
  const { onSubmit } = show();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'storefront{Enter}');
  expect(onSubmit).toHaveBeenCalledOnce();
});

test.each([
  ['is not ready', { ready: false }],
  ['is being sent', { action: { pending: true, refusal: undefined } }],
])('what %s is not sent', async (_, changes) => {
  const { onSubmit } = show(changes);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);
});

test('a refusal is said in it, and it is left by Escape or a button', async () => {
  const { onClose } = show({ action: { pending: false, refusal: 'You have that project already.' } });
  expect(screen.getByRole('alert').textContent).toBe('You have that project already.');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('what came of it takes the place of the form', () => {
  show({ result: <p>The key is shown once.</p> });
  expect(screen.getByRole('dialog', { name: 'New Project' }).textContent).toContain('The key is shown once.');
  expect(screen.queryByRole('textbox')).toBeNull();
});
