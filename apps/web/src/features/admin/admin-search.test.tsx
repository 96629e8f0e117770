import { screen, within } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { mockEngine } from '../../test/mock-admin.ts';
import { mockPayment } from '../../test/mock-billing.ts';
import { BROKEN, idOf, type MockWorld } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { ADA, adminWorld, GRACE, rows } from './admin-fixtures.ts';

mockApi();

const NO_USERS = 'No users found';
const NO_SUBSCRIPTIONS = 'No subscriptions found';
const NO_PAYMENTS = 'No payments found';
const NO_USAGE = 'No usage data found';

function asked(world: MockWorld, path: string) {
  return world.calls.filter((call) => call.path === path).map(({ input }) => input);
}

describe('searching', () => {
  const payments = rows(61, (number) => mockPayment({ id: idOf(number) }));

  it('waits for a pause, goes into the address, and says when nothing is found', async () => {
    const { user, world, router } = renderPage('/admin', adminWorld({ users: [GRACE, ADA] }));
    await screen.findByText('2 users');
    await user.type(screen.getByRole('searchbox', { name: /^Search users/ }), 'grace');
    await screen.findByText('1 user');
    expect(asked(world, 'admin.users')).toMatchObject([{ limit: 60 }, { limit: 60, search: 'grace' }]);
    expect(router.state.location.search).toEqual({ q: 'grace' });
    await user.type(screen.getByRole('searchbox'), ' hopper, admiral');
    await screen.findByRole('heading', { name: NO_USERS });
    await user.click(screen.getByRole('button', { name: 'Show all users' }));
    await screen.findByText('2 users');
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '');
  });

  it('is of one list: another starts without words', async () => {
    const { user, world, router } = renderPage(
      '/admin?tab=payments&q=4242',
      adminWorld({ payments: [mockPayment()] }),
    );
    await screen.findByText('1 payment');
    expect(asked(world, 'admin.payments')).toMatchObject([{ search: '4242' }]);
    await user.click(screen.getByRole('tab', { name: 'Usage' }));
    await screen.findByText(NO_USAGE);
    expect(router.state.location.search).toEqual({ tab: 'usage' });
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '');
  });

  it('comes by pages', async () => {
    const { user, world } = renderPage('/admin?tab=payments&q=4242', adminWorld({ payments }));
    expect(await screen.findByText('Newest 60 payments')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('61 payments')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(asked(world, 'admin.payments').at(-1)).toMatchObject({ search: '4242', cursor: idOf(2) });
  });

  it('keeps what it has when there is no more to be had', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, world } = renderPage('/admin?tab=payments', adminWorld({ payments }));
    await screen.findByText('Newest 60 payments');
    world.refusals = { 'admin.payments': BROKEN };
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText("Couldn't load more payments.")).toBeDefined();
    // And the row of headings.
    expect(within(screen.getByRole('table', { name: 'Payments' })).getAllByRole('row')).toHaveLength(61);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('61 payments')).toBeDefined();
  });
});

test('tabs are moved among by the arrow keys, and kept in the address', async () => {
  const { user, router } = renderPage('/admin?tab=nonsense', adminWorld({ engines: [mockEngine()] }));
  await screen.findByText(NO_USERS);
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Users',
    'Subscriptions',
    'Payments',
    'Usage',
    'Engines',
    'Settings',
    'Jobs',
    'Activity',
    'Ledger',
  ]);
  screen.getByRole('tab', { name: 'Users' }).focus();
  await user.keyboard('{ArrowRight}');
  await screen.findByText(NO_SUBSCRIPTIONS);
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  await screen.findByRole('heading', { name: 'Trial balance' });
  expect(router.state.location.search).toEqual({ tab: 'ledger' });
});

test('what others did meanwhile is there at the next visit', async () => {
  const { user, world } = renderPage('/admin', adminWorld({ users: [ADA] }));
  await screen.findByText('1 user');
  world.admin.users = [GRACE, ADA];
  await user.click(screen.getByRole('tab', { name: 'Payments' }));
  await screen.findByText(NO_PAYMENTS);
  await user.click(screen.getByRole('tab', { name: 'Users' }));
  expect(await screen.findByText('2 users')).toBeDefined();
});
