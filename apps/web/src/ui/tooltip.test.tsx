import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
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
