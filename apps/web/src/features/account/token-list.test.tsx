import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expiryOf } from '../../lib/token-fields.tsx';
import { idOf, mockRecord, mockToken } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

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
    expect(endless).toMatch(/^printerRead and write.*last used .*no expiration/);
  });

  it('are made for one thing of the workspace, once it is chosen', async () => {
    const { user, world } = renderPage('/account', { records: [mockRecord({ domain: 'a.test' })] });
    await user.click(await screen.findByRole('button', { name: 'New token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New access token' }));
    await user.type(dialog.getByLabelText('Name'), 'dns');
    await user.click(dialog.getByRole('combobox', { name: /Access to/ }));
    await user.click(await screen.findByRole('option', { name: 'One DNS zone' }));
    const create = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create token' });
    expect(create.disabled).toBe(true);
    await user.click(dialog.getByRole('combobox', { name: /Which one/ }));
    await user.click(await screen.findByRole('option', { name: 'a.test' }));
    await user.click(create);
    await user.click(await dialog.findByRole('button', { name: 'Done' }));
    expect(world.tokens[0]?.resource).toMatchObject({ kind: 'zone', id: idOf(9400) });
    expect(await screen.findByText('Only zone')).toBeDefined();
  });

  it('say why one was not made', async () => {
    const { user } = renderPage('/account', {
      refusals: { 'auth.createToken': { code: 'FORBIDDEN', reason: 'LIMIT', message: 'You have too many.' } },
    });
    await user.click(await screen.findByRole('button', { name: 'New token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New access token' }));
    await user.type(dialog.getByLabelText('Name'), 'laptop');
    await user.click(dialog.getByRole('button', { name: 'Create token' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('You have too many.');
    expect(shownToast()?.description).toBe('Failed to create access token');
  });
});

it('ends a token so many days from now, or never', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  expect(expiryOf('30', now)).toBe('2026-12-21T12:00:00.000Z');
  expect(expiryOf('never', now)).toBeNull();
});
