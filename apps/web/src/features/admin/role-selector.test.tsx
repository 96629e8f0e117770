import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { ADA, ALAN, adminWorld, GRACE } from './admin-fixtures.ts';

mockApi();

const LAST_ADMIN = {
  code: 'CONFLICT',
  reason: 'LAST_ADMIN',
  message: 'At least one admin has to remain.',
} as const;

function openUsers(state = {}) {
  return renderPage('/admin', { ...adminWorld({ users: [GRACE, ALAN, ADA] }), ...state });
}

type Page = ReturnType<typeof openUsers>;

function selector(email: string) {
  return screen.findByLabelText(`Role of ${email}`);
}

async function choose({ user }: Page, email: string, role: string) {
  await user.click(await selector(email));
  await user.click(await screen.findByRole('option', { name: role }));
}

function changes({ world }: Page) {
  return world.calls.filter(({ path }) => path === 'admin.changeRole').map(({ input }) => input);
}

function badge(email: string) {
  const cells = screen.getAllByText(email)[0]?.closest('tr')?.querySelectorAll('td');
  return cells?.[2]?.textContent;
}

test('says nothing about the role that someone has', async () => {
  const page = openUsers();
  await choose(page, ALAN.email, 'Admin');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(changes(page)).toEqual([]);
});

test('shows the new role while it is under way, and the figures after it', async () => {
  const answer = Promise.withResolvers<void>();
  const page = openUsers({ delays: { 'admin.changeRole': answer.promise } });
  await choose(page, ALAN.email, 'Member');
  await waitFor(async () => expect((await selector(ALAN.email)).textContent).toBe('Member'));
  expect(badge(ALAN.email)).toBe('Admin');
  page.world.admin.totals.admins = 7;
  answer.resolve();
  expect(await screen.findByText('7 admins')).toBeDefined();
});

test.each([
  ['a reason', LAST_ADMIN, LAST_ADMIN.message],
  [
    'none',
    { code: 'INTERNAL_SERVER_ERROR', reason: '', message: 'boom' } as const,
    'Failed to update user role',
  ],
])('says that it failed, with %s', async (_, refusal, description) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const page = openUsers({ refusals: { 'admin.changeRole': refusal } });
  await choose(page, ALAN.email, 'Member');
  await waitFor(() => expect(shownToast()).toEqual({ title: 'Error', description, variant: 'destructive' }));
  expect((await selector(ALAN.email)).textContent).toBe('Admin');
});
