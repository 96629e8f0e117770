import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

afterEach(cleanup);

function bar(disabled: boolean) {
  return (
    <TooltipProvider>
      <Tooltip content="Explained" disabled={disabled}>
        <button type="button">One</button>
      </Tooltip>
      <button type="button">Two</button>
    </TooltipProvider>
  );
}

test('a control that was visited while its tooltip was unwanted does not show it later', async () => {
  const user = userEvent.setup();
  const { rerender } = render(bar(true));
  await user.tab();
  await user.tab();
  rerender(bar(false));
  expect(screen.queryByRole('tooltip')).toBeNull();

  await user.tab({ shift: true });
  expect(screen.getByRole('tooltip').textContent).toBe('Explained');
});
