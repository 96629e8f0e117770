import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { MOCK_LINK, mockInvitation } from '../../test/mock-admin.ts';
import { BROKEN, idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { adminWorld } from './admin-fixtures.ts';

mockApi();

async function openDialog({ user }: ReturnType<typeof renderPage>) {
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  return within(await screen.findByRole('dialog', { name: 'Invite a user' }));
}

const listed = () => screen.findByRole('list', { name: 'Open invitations' });

test('without an address it is for anyone, and what the server refuses stands beside the field', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const page = renderPage('/admin', adminWorld());
  const message = 'Enter an email address like name@example.com.';
  page.world.refusals['admin.createInvitation'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message },
    fields: [{ path: 'email', message }],
  };
  const dialog = await openDialog(page);
  await page.user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  page.world.refusals = {};
  await page.user.click(dialog.getByRole('button', { name: 'Create link' }));
  await dialog.findByText(MOCK_LINK);
  expect(page.world.calls.find(({ path }) => path === 'admin.createInvitation')?.input).toEqual({
    email: '',
  });
  await page.user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(within(await listed()).getByText('Anyone with the link')).toBeDefined();
});

test('an open one is listed with who made it and its end, and revoked by naming it', async () => {
  const invitations = [mockInvitation(), mockInvitation({ id: idOf(2), email: null, invitedBy: null })];
  const { user, world } = renderPage('/admin', adminWorld({ invitations }));
  const [first, second] = within(await listed())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(first).toMatch(/^grace@example\.cominvited by ada@example\.com · expires Nov 28, 2026/);
  expect(second).toMatch(/^Anyone with the linkexpires Nov 28, 2026/);
  await user.click(screen.getByRole('button', { name: 'Revoke the invitation: Anyone with the link' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Revoke invitation?' }));
  await user.type(dialog.getByRole('textbox'), 'Anyone with the link{Enter}');
  await waitFor(() => expect(shownToast()?.title).toBe('Invitation revoked'));
  expect(world.admin.invitations.map(({ id }) => id)).toEqual([idOf(1)]);
  await waitFor(() => expect(screen.queryByText('Anyone with the link')).toBeNull());
});

test('that they cannot be loaded keeps nobody from inviting', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const page = renderPage('/admin', adminWorld({}, { refusals: { 'admin.invitations': BROKEN } }));
  await screen.findByText(BROKEN.message);
  const dialog = await openDialog(page);
  await page.user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect(await dialog.findByText(MOCK_LINK)).toBeDefined();
});
