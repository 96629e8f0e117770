import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { onFormSent } from './form-sent.ts';
import { Input } from './input.tsx';
import { Select } from './select.tsx';
import { Switch } from './switch.tsx';

afterEach(cleanup);

function show(given: Partial<FormDialogProps> = {}) {
  const onSubmit = vi.fn();
  const onClose = vi.fn();
  const dialog = ({ children = <Input aria-label="Name" />, ...changes }: Partial<FormDialogProps>) => (
    <FormDialog
      title="New Project"
      label="Create"
      ready
      action={{ pending: false, refusal: undefined }}
      onSubmit={onSubmit}
      onClose={onClose}
      {...changes}
    >
      {children}
    </FormDialog>
  );
  const { rerender } = render(dialog(given));
  return {
    onSubmit,
    onClose,
    rerender: (changed: Partial<FormDialogProps>) => rerender(dialog(changed)),
  };
}

function clickOutside() {
  const scrim = document.querySelector('.bg-scrim');
  if (!scrim) throw new Error('there is no scrim');
  // The page below a dialog takes no pointer, and so does not the scrim in a browser without a layout.
  return userEvent.setup({ pointerEventsCheck: 0 }).click(scrim);
}

function Choices() {
  const [framework, setFramework] = useState('nodejs');
  const [isPublic, setPublic] = useState(false);
  const options = ['nodejs', 'static'].map((value) => ({ value, label: value }));
  return (
    <>
      <Select aria-label="Framework" value={framework} onValueChange={setFramework} options={options} />
      <Switch aria-label="Public" checked={isPublic} onCheckedChange={setPublic} />
    </>
  );
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

test('who listens is told that it was sent', async () => {
  const sent = vi.fn();
  const stop = onFormSent(sent);
  show();
  expect(sent).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(sent).toHaveBeenCalledOnce();
  stop();
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(sent).toHaveBeenCalledOnce();
});

describe('a form', () => {
  const WAYS = {
    Escape: () => userEvent.keyboard('{Escape}'),
    Cancel: () => userEvent.click(screen.getByRole('button', { name: 'Cancel' })),
    Close: () => userEvent.click(screen.getByRole('button', { name: 'Close' })),
  };
  const CHANGES = {
    'a text': () => userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'x'),
    'a switch': () => userEvent.click(screen.getByRole('switch', { name: 'Public' })),
    'a choice': async () => {
      await userEvent.click(screen.getByRole('combobox', { name: 'Framework' }));
      await userEvent.click(screen.getByRole('option', { name: 'static' }));
    },
  };
  const children = (
    <>
      <Input aria-label="Name" />
      <Choices />
    </>
  );

  test.each(Object.entries({ ...WAYS, 'a click outside': clickOutside }))(
    'that nobody touched is closed by %s',
    async (_, leave) => {
      const { onClose } = show({ children });
      await leave();
      expect(onClose).toHaveBeenCalledOnce();
    },
  );

  test.each(Object.entries(CHANGES))('with %s changed outlives a click outside', async (_, change) => {
    const { onClose } = show({ children });
    await change();
    await clickOutside();
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test.each(Object.entries(WAYS))('that is filled asks before %s loses it', async (_, leave) => {
    const { onClose } = show({ children });
    await CHANGES['a text']();
    await leave();
    expect(screen.getByRole('alertdialog', { name: 'Discard changes?' }).textContent).toContain(
      'What you entered will be lost.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('x');
    await leave();
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('is as it opened where a button arrives later, and is not where it opened with what was entered', async () => {
    const { onClose, rerender } = show({ children });
    rerender({
      children: (
        <>
          <button type="button">Use 021000021</button>
          {children}
        </>
      ),
    });
    await clickOutside();
    expect(onClose).toHaveBeenCalledOnce();
    rerender({ children, entered: true });
    await clickOutside();
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('that is as it was again is closed without a question', async () => {
    const { onClose } = show({ children });
    await CHANGES['a text']();
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }));
    await WAYS.Escape();
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('that is sent stays when somebody clicks outside, and so does what is shown once', async () => {
    const { onClose } = show({ children, action: { pending: true, refusal: undefined } });
    await clickOutside();
    cleanup();
    show({ onClose, result: <p>The key is shown once.</p> });
    await clickOutside();
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });
});
