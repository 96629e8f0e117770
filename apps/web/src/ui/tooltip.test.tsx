import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { Tooltip, TooltipHost } from './tooltip.tsx';

afterEach(cleanup);

function bar(disabled: boolean) {
  return (
    <>
      <Tooltip content="Explained" disabled={disabled}>
        <button type="button">One</button>
      </Tooltip>
      <button type="button">Two</button>
      <TooltipHost />
    </>
  );
}

const tooltips = () => screen.queryAllByRole('tooltip').map(({ textContent }) => textContent);

test('a control that was visited while its tooltip was unwanted does not show it later', async () => {
  const user = userEvent.setup();
  const { rerender } = render(bar(true));
  await user.tab();
  await user.tab();
  rerender(bar(false));
  expect(tooltips()).toEqual([]);

  await user.tab({ shift: true });
  await screen.findByRole('tooltip', {}, { timeout: 3000 });
  expect(tooltips()).toEqual(['Explained']);
});

test('a tooltip describes its control, and goes with the pointer, the focus, Escape or its wish', async () => {
  const user = userEvent.setup();
  const { rerender } = render(bar(false));
  const one = screen.getByRole('button', { name: 'One' });
  // The first move has the tooltip loaded.
  const shown = () => {
    fireEvent.pointerMove(one);
    return tooltips();
  };
  await expect.poll(shown, { timeout: 3000 }).toEqual(['Explained']);
  expect(one.getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id);
  await user.keyboard('{Escape}');
  expect([tooltips(), one.getAttribute('aria-describedby')]).toEqual([[], null]);

  await user.tab();
  expect(tooltips()).toEqual(['Explained']);
  await user.tab();
  expect(tooltips()).toEqual([]);
  await user.tab({ shift: true });
  rerender(bar(true));
  await expect.poll(tooltips).toEqual([]);
});

test('a button that says why it does nothing is reached by keyboard and finger, and sends nothing', async () => {
  const user = userEvent.setup();
  const told = vi.fn();
  const sent = vi.fn();
  const form = (reason?: string) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent();
      }}
    >
      <Button type="submit" title="Short" reason={reason} onClick={told} onPointerDown={told}>
        Send
      </Button>
      <TooltipHost />
    </form>
  );
  const { rerender } = render(form('Not yours'));
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
  expect([button.disabled, button.title]).toEqual([false, '']);
  expect(button.getAttribute('aria-description')).toBe('Not yours');
  // The first click has the tooltip loaded.
  await user.click(button);
  await expect.poll(tooltips, { timeout: 3000 }).toEqual(['Not yours']);
  await user.keyboard('{Escape}');
  expect(tooltips()).toEqual([]);
  await user.click(button);
  await expect.poll(tooltips).toEqual(['Not yours']);
  await user.keyboard('{Enter}');
  expect([told.mock.calls, sent.mock.calls]).toEqual([[], []]);

  rerender(form());
  await expect.poll(tooltips).toEqual([]);
  expect(document.activeElement).toBe(button);
  await user.keyboard('{Enter}');
  expect([told.mock.calls.length, sent.mock.calls.length]).toEqual([1, 1]);
});
