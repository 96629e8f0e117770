import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { MOCK_TOKEN } from '../../test/mock-router.ts';
import { idOf, mockToken } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { expiryOf } from './token-expiry.ts';

mockApi();

const EXPIRED = mockToken({
  id: idOf(602),
  name: 'old robot',
  scope: 'read',
  expiresAt: '2020-01-01T00:00:00.000Z',
  lastUsedAt: null,
});
const ENDLESS = mockToken({ id: idOf(603), name: 'printer', expiresAt: null });

describe('the access tokens', () => {
  it('are listed with what they may do and how long', async () => {
    renderPage('/account', { tokens: [EXPIRED, ENDLESS] });
    const list = within(await screen.findByRole('list', { name: 'Access tokens' }));
    const [expired, endless] = list.getAllByRole('listitem').map((item) => item.textContent);
    expect(expired).toMatch(/^old robotReadExpired.*never used.*expired Jan 1, 2020/);
    expect(endless).toMatch(/^printerRead and write.*last used .*does not expire/);
  });

  it('are made, shown once and forgotten', async () => {
    const { user, world } = renderPage('/account');
    expect(await screen.findByText('No access tokens yet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'New token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Access Token' }));
    const create = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create token' });
    expect(create.disabled).toBe(true);
    await user.type(dialog.getByLabelText('Name'), 'laptop');
    await user.click(dialog.getByLabelText('Scope'));
    await user.click(await screen.findByRole('option', { name: 'Read and write' }));
    await user.click(dialog.getByLabelText('Expires after'));
    await user.click(await screen.findByRole('option', { name: 'Does not expire' }));
    await user.click(create);
    expect(await dialog.findByText(MOCK_TOKEN)).toBeDefined();
    expect(dialog.getByText(/only time/)).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Copy access token' })).toBeDefined();
    expect(world.calls.find(({ path }) => path === 'auth.createToken')?.input).toEqual({
      name: 'laptop',
      scope: 'write',
      expiresAt: null,
    });

    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText(MOCK_TOKEN)).toBeNull());
    expect(
      within(await screen.findByRole('list', { name: 'Access tokens' })).getByText('laptop'),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'New token' }));
    const again = within(await screen.findByRole('dialog', { name: 'New Access Token' }));
    expect(again.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  });

  it('say why one was not made', async () => {
    const { user } = renderPage('/account', {
      refusals: { 'auth.createToken': { code: 'FORBIDDEN', reason: 'LIMIT', message: 'You have too many.' } },
    });
    await user.click(await screen.findByRole('button', { name: 'New token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Access Token' }));
    await user.type(dialog.getByLabelText('Name'), 'laptop');
    await user.click(dialog.getByRole('button', { name: 'Create token' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('You have too many.');
    expect(shownToast()?.description).toBe('Failed to create the access token');
  });

  it('are revoked once their name was typed', async () => {
    const { user, world } = renderPage('/account', { tokens: [ENDLESS] });
    await user.click(await screen.findByRole('button', { name: 'Revoke printer' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Revoke Access Token?' }));
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Revoke token' });
    expect(confirm.disabled).toBe(true);
    await user.type(dialog.getByRole('textbox'), 'printer');
    await user.click(confirm);
    expect(await screen.findByText('No access tokens yet')).toBeDefined();
    expect(world.tokens).toEqual([]);
  });
});

it('ends a token so many days from now, or never', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  expect(expiryOf('30', now)).toBe('2026-12-21T12:00:00.000Z');
  expect(expiryOf('never', now)).toBeNull();
});
