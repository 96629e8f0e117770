import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { MOCK_LINK } from '../../test/mock-admin.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { ADA, adminWorld, GRACE } from './admin-fixtures.ts';

mockApi();

async function manage(of: { email: string; consentEndsAt?: string }) {
  const page = renderPage(
    '/admin',
    adminWorld({ users: of.email === ADA.email ? [GRACE, ADA] : [{ ...GRACE, ...of }, ADA] }),
  );
  await page.user.click(await screen.findByRole('button', { name: `Manage ${of.email}` }));
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: /^Manage / })) };
}

const callsOf = ({ world }: Pick<Awaited<ReturnType<typeof manage>>, 'world'>, name: string) =>
  world.calls.filter(({ path }) => path === `admin.${name}`).map(({ input }) => input);

test('somebody is disabled after a question, and enabled again', async () => {
  const page = await manage(GRACE);
  await page.user.click(page.dialog.getByRole('button', { name: 'Disable' }));
  const question = within(await screen.findByRole('alertdialog', { name: /^Disable the account of Grace/ }));
  expect(callsOf(page, 'disable')).toEqual([]);
  await page.user.click(question.getByRole('button', { name: 'Disable account' }));
  await waitFor(() => expect(shownToast()?.title).toBe('Account disabled'));
  await page.dialog.findByText(/^Since Nov 22, 2026/);
  await page.user.click(page.dialog.getByRole('button', { name: 'Enable' }));
  await page.dialog.findByRole('button', { name: 'Disable' });
  expect([callsOf(page, 'disable'), callsOf(page, 'enable')]).toEqual([
    [{ userId: GRACE.id }],
    [{ userId: GRACE.id }],
  ]);
});

test('access is ended after a question', async () => {
  const page = await manage(GRACE);
  await page.user.click(page.dialog.getByRole('button', { name: 'End all' }));
  const question = within(await screen.findByRole('alertdialog', { name: /^End all sessions/ }));
  await page.user.click(question.getByRole('button', { name: 'End all' }));
  await waitFor(() => expect(shownToast()?.title).toBe('Sessions and access tokens ended'));
  expect(callsOf(page, 'endAccess')).toEqual([{ userId: GRACE.id }]);
});

test('signing in as somebody waits for their consent', async () => {
  const page = await manage(GRACE);
  await page.dialog.findByText('They have to allow it first, on their Account page.');
  const button = page.dialog.getByRole<HTMLButtonElement>('button', { name: 'Sign in as them' });
  expect(button.disabled).toBe(true);
});

test('it is begun where somebody allows it', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const page = await manage({ ...GRACE, consentEndsAt: '2026-11-24T10:00:00.000Z' });
  await page.dialog.findByText(/^Allowed until Nov 24, 2026/);
  await page.user.click(page.dialog.getByRole('button', { name: 'Sign in as them' }));
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/api/login/as?ticket=sealed'));
  expect(callsOf(page, 'signInAs')).toEqual([{ userId: GRACE.id }]);
});

test('a link for a new password is shown once', async () => {
  const page = await manage(GRACE);
  await page.user.click(page.dialog.getByRole('button', { name: 'Create link' }));
  await page.dialog.findByText(MOCK_LINK);
  expect(callsOf(page, 'passwordLink')).toEqual([{ userId: GRACE.id }]);
});

test('an address is changed, and a refusal stands beside it', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const page = await manage(ADA);
  for (const name of ['Disable', 'End all']) {
    expect(page.dialog.queryByRole('button', { name })).toBeNull();
  }
  const message = 'An account with this email already exists. Log in instead.';
  page.world.refusals['admin.changeEmail'] = { code: 'CONFLICT', reason: 'EMAIL_TAKEN', message };
  await page.user.type(page.dialog.getByLabelText('Email'), '.org{Enter}');
  await page.dialog.findByText(message);
  page.world.refusals = {};
  await page.user.click(page.dialog.getByRole('button', { name: 'Change' }));
  await waitFor(() => expect(shownToast()?.title).toBe('Email address changed'));
  expect(callsOf(page, 'changeEmail')).toContainEqual({ userId: ADA.id, email: 'ada@example.com.org' });
});

test('somebody is deleted by their address, with their things or without', async () => {
  const page = await manage(GRACE);
  await page.user.click(page.dialog.getByRole('button', { name: 'Delete' }));
  const question = within(await screen.findByRole('alertdialog', { name: /^Delete the account of Grace/ }));
  const list = within(await question.findByRole('list', { name: 'What they have' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '2 projects',
    '3 files',
    '1 virtual account',
    '1 membership',
  ]);
  await question.findByText(/Gets Engines, which nobody else owns/);
  await page.user.type(question.getByLabelText(/^Type .* to confirm$/), GRACE.email);
  await page.user.click(question.getByRole('combobox', { name: 'Their things' }));
  await page.user.click(await screen.findByRole('option', { name: 'Delete everything' }));
  await question.findByText('Its virtual accounts hold money.');
  expect(question.getByRole('button', { name: 'Delete account' })).toHaveProperty('disabled', true);
  await page.user.click(question.getByRole('combobox', { name: 'Their things' }));
  await page.user.click(await screen.findByRole('option', { name: 'Hand over to someone else' }));
  await page.user.type(question.getByLabelText("New owner's email"), ADA.email);
  await page.user.click(question.getByRole('button', { name: 'Delete account' }));
  await waitFor(() => expect(shownToast()?.title).toBe('Account deleted'));
  expect(callsOf(page, 'removeUser')).toEqual([
    { userId: GRACE.id, email: GRACE.email, things: 'handOver', handOverTo: ADA.email },
  ]);
  await waitFor(() => expect(screen.queryByRole('button', { name: `Manage ${GRACE.email}` })).toBeNull());
});
