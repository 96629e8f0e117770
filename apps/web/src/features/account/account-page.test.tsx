import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf, mockFactors, mockSession, mockToken, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const OTHER = mockSession({
  id: idOf(502),
  current: false,
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0 Safari/537.36',
  device: 'Chrome on Windows',
  ipAddress: '198.51.100.4',
  place: 'Japan',
});

it('changes the password and ends the other sessions and the tokens', async () => {
  const { user } = renderPage('/account', { sessions: [mockSession(), OTHER], tokens: [mockToken()] });
  expect(
    await screen.findByText(/logs out your other sessions and revokes your access tokens/),
  ).toBeDefined();
  const list = within(screen.getByRole('list', { name: 'Sessions' }));
  expect(list.getAllByRole('listitem')).toHaveLength(2);
  await user.type(screen.getByLabelText('Current password'), 'old password');
  await user.type(screen.getByLabelText(/New password/), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
  expect(await screen.findByText('No access tokens yet')).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>(/New password/).value).toBe('');
});

it('says why a password was refused', async () => {
  const { user } = renderPage('/account', {
    refusals: {
      'auth.changePassword': {
        code: 'BAD_REQUEST',
        reason: 'VALIDATION',
        message: 'Some fields are not valid.',
        fields: [{ path: 'newPassword', message: 'Password must be at least 8 characters.' }],
      },
    },
  });
  await user.type(await screen.findByLabelText(/New password/), 'short');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Password must be at least 8 characters.');
});

it('marks this session and revokes another', async () => {
  const { user } = renderPage('/account', { sessions: [mockSession(), OTHER] });
  const current = within((await screen.findByText('Firefox on Linux')).closest('li') as HTMLElement);
  expect(current.getByText('This session')).toBeDefined();
  expect(current.queryByRole('button')).toBeNull();
  expect(screen.getByText(/^Japan · 198\.51\.100\.4 ·/)).toBeDefined();
  await user.click(
    screen.getByRole('button', { name: 'Revoke the session of Chrome on Windows at 198.51.100.4' }),
  );
  await waitFor(() => expect(screen.queryByText('Chrome on Windows')).toBeNull());
  expect(shownToast()?.title).toBe('Session revoked');
});

it('logs out all others, which is offered where there are any', async () => {
  const { user } = renderPage('/account', { sessions: [mockSession(), OTHER] });
  await user.click(await screen.findByRole('button', { name: 'Log out all others' }));
  await waitFor(() => expect(screen.queryByText('Chrome on Windows')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Log out all others' })).toBeNull();
});

it('has a link sent to a new address, says where it waits, and withdraws it', async () => {
  const { user, world } = renderPage('/account');
  await user.type(await screen.findByLabelText(/New email/), ' grace@example.com ');
  await user.type(screen.getByLabelText(/Your password/), 'old password');
  await user.click(screen.getByRole('button', { name: 'Change email' }));
  const waits = (await screen.findByText('grace@example.com')).closest('p');
  expect(waits?.textContent).toMatch(/^Open the link in the mail to grace@example\.com until Nov 24, 2026/);
  expect(world.calls.find(({ path }) => path === 'auth.changeEmail')?.input).toEqual({
    ...{ email: 'grace@example.com', password: 'old password' },
  });
  await user.click(screen.getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(screen.queryByText(/Open the link/)).toBeNull());
});

it('says who changes an address where no mail is sent', async () => {
  renderPage('/account', { emailChange: { mail: false, pending: null } });
  expect(await screen.findByText(/an administrator has to change your address/)).toBeDefined();
  expect(screen.queryByLabelText(/New email/)).toBeNull();
});

it('tells who has no password what to do first', async () => {
  renderPage('/account', {
    factors: mockFactors({ passwordSet: false }),
  });
  expect(await screen.findByText('Set a password for your account first.')).toBeDefined();
  expect(screen.queryByLabelText(/New email/)).toBeNull();
});

it('admins are let sign in for some hours, until that is ended', async () => {
  const { user, world } = renderPage('/account');
  await user.click(await screen.findByRole('button', { name: 'Allow for 24 hours' }));
  await screen.findByText(/^Allowed until Nov 25, 2026.*Nobody is signed in as you/);
  await user.click(screen.getByRole('button', { name: 'End now' }));
  await screen.findByRole('button', { name: 'Allow for 1 hour' });
  expect(world.signInConsent.endsAt).toBeNull();
});

it('an admin who is signed in as somebody is told so on every page', async () => {
  const impersonator = { email: 'admin@example.com', until: '2026-11-25T10:00:00.000Z' };
  renderPage('/account', { user: mockUser({ impersonator }) });
  const banner = await screen.findByText(/^You are signed in as/);
  expect(banner.textContent).toMatch(/ada@example.com until Nov 25, 2026.*recorded as admin@example.com/);
  expect(screen.getByRole('link', { name: 'End' }).getAttribute('href')).toBe('/api/logout');
});
