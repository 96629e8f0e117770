import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Dialog, DialogContent } from './dialog.tsx';
import { useFocusHeld } from './use-focus-held.ts';

afterEach(cleanup);

/** A list of one row, whose button opens a dialog that can take the row away, `when` it closes or later. */
function Rows({ when }: { when: 'never' | 'closing' | 'later' }) {
  const [there, setThere] = useState(true);
  const [open, setOpen] = useState(false);
  const content = useRef<HTMLElement>(null);
  useFocusHeld(content);
  function close() {
    if (when === 'closing') setThere(false);
    setOpen(false);
  }
  return (
    <main ref={content} tabIndex={-1}>
      {there && (
        <button type="button" onClick={() => setOpen(true)}>
          Delete
        </button>
      )}
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Delete?">
          <button type="button" onClick={close}>
            Yes
          </button>
        </DialogContent>
      </Dialog>
      <output onPointerDown={() => when === 'later' && setThere(false)}>fetched again</output>
    </main>
  );
}

async function confirm(when: 'never' | 'closing' | 'later') {
  render(<Rows when={when} />);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

test('the focus is back on what opened the dialog', async () => {
  await confirm('never');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete' })));
});

test('the content has it where the opener went with the dialog', async () => {
  await confirm('closing');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

test('and where it goes once the list was fetched again', async () => {
  await confirm('later');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Delete'));
  screen.getByText('fetched again').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

test('whoever went elsewhere meanwhile is not brought back', async () => {
  await confirm('later');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Delete'));
  screen.getByRole('main').focus();
  screen.getByRole('main').blur();
  screen.getByText('fetched again').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  expect(document.activeElement).toBe(document.body);
});
