import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { LateMenu, MenuItem } from './late-menu.tsx';

afterEach(cleanup);

function draw() {
  const chosen = vi.fn();
  render(
    <>
      <button type="button">Before</button>
      <LateMenu button={<button type="button">More</button>}>
        <MenuItem onSelect={() => chosen('one')}>One</MenuItem>
        <MenuItem onSelect={() => chosen('two')}>Two</MenuItem>
      </LateMenu>
    </>,
  );
  const button = screen.getByRole('button', { name: 'More' });
  const state = () => [button.getAttribute('aria-expanded'), button.getAttribute('data-state')];
  return { user: userEvent.setup(), button, chosen, state };
}

test('a menu that is pressed before it is loaded opens, and is named by its button', async () => {
  const { user, button, chosen, state } = draw();
  expect([button.getAttribute('aria-haspopup'), ...state()]).toEqual(['menu', 'false', 'closed']);
  await user.click(button);
  expect((await screen.findByRole('menu')).getAttribute('aria-labelledby')).toBe(button.id);
  expect(state()).toEqual(['true', 'open']);

  await user.click(screen.getByRole('menuitem', { name: 'Two' }));
  expect(chosen.mock.calls).toEqual([['two']]);
  expect([screen.queryByRole('menu'), ...state()]).toEqual([null, 'false', 'closed']);
  await user.click(button);
  await user.click(button);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('by keys, the first item has the focus, and Escape gives it back', async () => {
  const { user, button } = draw();
  await user.tab();
  await user.tab();
  await expect.poll(() => button.id).not.toBe('');
  await user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('One');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('Two');
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(button);
});

test('by a key that comes before it is loaded, the first item has the focus, too', async () => {
  const { user, button } = draw();
  fireEvent.keyDown(button, { key: 'Enter' });
  await expect.poll(() => document.activeElement?.textContent).toBe('One');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('Two');
});
