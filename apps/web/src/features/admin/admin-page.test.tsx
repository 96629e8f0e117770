import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { mockAdminUsage } from '../../test/mock-admin.ts';
import { mockBillingWorld, mockSubscription } from '../../test/mock-billing.ts';
import { BROKEN, idOf, type MockWorld } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { ALAN, adminWorld, GRACE } from './admin-fixtures.ts';

mockApi();

const TOTALS = {
  users: 1204,
  admins: 2,
  subscriptions: 40,
  activeSubscriptions: 31,
  revenue: 1_234_500,
  payments: 57,
  usageRecords: 98_765,
};

const EMPTY = {
  users: 'No users found',
  subscriptions: 'No subscriptions found',
  payments: 'No payments found',
  usage: 'No usage data found',
};
const LOADING = {
  users: 'Loading users…',
  subscriptions: 'Loading subscriptions…',
  payments: 'Loading payments…',
  usage: 'Loading usage data…',
};
const COLUMNS = {
  users: ['Email', 'Name', 'Role', 'Created', 'Actions'],
  subscriptions: ['User ID', 'Plan', 'Status', 'Amount', 'Renewal Date', 'Created'],
  payments: ['Invoice ID', 'User ID', 'Amount', 'Method', 'Status', 'Payment Date'],
  usage: ['User ID', 'Resource Type', 'Resource ID', 'Amount', 'Cost', 'Timestamp'],
};
const LISTS = ['users', 'subscriptions', 'payments', 'usage'] as const;

function open(tab: string, state: Partial<MockWorld>) {
  return renderPage(`/admin?tab=${tab}`, state);
}

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

/** The cells of a list's rows. */
async function table(name: string) {
  const found = await waitFor(() => {
    const shown = screen.getByRole('table', { name });
    expect(within(shown).queryByTestId('skeleton-row')).toBeNull();
    return shown;
  });
  const [, ...body] = within(found).getAllByRole('row');
  return body.map((row) => within(row).getAllByRole('cell'));
}

function texts(cells: HTMLElement[] | undefined) {
  return cells?.map(({ textContent }) => textContent);
}

describe('the totals', () => {
  function tile(title: string) {
    const term = screen.getByText(title, { selector: 'dt' });
    return Array.from(term.parentElement?.querySelectorAll('dd') ?? [], ({ textContent }) => textContent);
  }

  it('are four figures, and what each is part of', async () => {
    renderPage('/admin', adminWorld({ totals: TOTALS }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeDefined();
    await screen.findByText('1,204');
    expect(tile('Total Users')).toEqual(['1,204', '2 admins']);
    expect(tile('Active Subscriptions')).toEqual(['31', 'of 40 total']);
    expect(tile('Total Revenue')).toEqual(['$12,345.00', '57 payments']);
    expect(tile('Total Usage Records')[0]).toBe('98,765');
  });

  it('count one as one', async () => {
    renderPage('/admin', adminWorld({ totals: { ...TOTALS, admins: 1, payments: 1 } }));
    await screen.findByText('1 admin');
    expect(tile('Total Revenue')[1]).toBe('1 payment');
  });

  it('have their names before their figures, and can be asked for again', async () => {
    quiet();
    const totals = Promise.withResolvers<void>();
    const state = adminWorld({ totals: TOTALS });
    const { user, world } = renderPage('/admin', { ...state, delays: { 'admin.totals': totals.promise } });
    await screen.findByText('Total Users');
    expect(screen.queryByText('1,204')).toBeNull();
    world.refusals = { 'admin.totals': BROKEN };
    totals.resolve();
    await screen.findByText(BROKEN.message);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('1,204')).toBeDefined();
  });
});

test('nothing of what is sold is there where billing is switched off', async () => {
  const billing = { ...mockBillingWorld(), enabled: false };
  const usage = [mockAdminUsage({})];
  const { user } = open('payments', adminWorld({ totals: TOTALS, users: [GRACE], usage }, { billing }));
  await screen.findByText('1,204');
  await waitFor(() => expect(screen.queryByText('Total Revenue')).toBeNull());
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
  expect(terms).toEqual(['Total Users', 'Total Usage Records']);
  const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent);
  expect(tabs.slice(0, 3)).toEqual(['Users', 'Usage', 'Engines']);
  // The address named one that is not there.
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Users');
  await user.click(screen.getByRole('tab', { name: 'Usage' }));
  await table('Usage');
  expect(screen.queryByRole('columnheader', { name: 'Cost' })).toBeNull();
});

describe.each(LISTS)('the list of %s', (tab) => {
  it('says that it loads, with its columns and three rows in shape', async () => {
    const list = Promise.withResolvers<void>();
    open(tab, adminWorld({}, { delays: { [`admin.${tab}`]: list.promise } }));
    expect(await screen.findByText(LOADING[tab])).toBeDefined();
    expect(screen.getAllByTestId('skeleton-row')).toHaveLength(3);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(COLUMNS[tab]);
    list.resolve();
    await screen.findByText(EMPTY[tab]);
    expect(screen.queryByText(LOADING[tab])).toBeNull();
  });

  it('says why it cannot be loaded, below the rest of the page, and can be tried again', async () => {
    quiet();
    const { user, world } = open(tab, adminWorld({}, { refusals: { [`admin.${tab}`]: BROKEN } }));
    await screen.findByText(BROKEN.message);
    expect(screen.getByText('Total Users')).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(EMPTY[tab])).toBeDefined();
  });
});

test('subscriptions, in cents', async () => {
  const subscriptions = [
    mockSubscription({ userId: GRACE.id, planTier: 'professional', amount: 9900 }),
    mockSubscription({ id: idOf(2), status: 'past_due', failure: 'Your card was declined.' }),
    mockSubscription({ id: idOf(1), cancelAtPeriodEnd: true }),
    mockSubscription({ id: idOf(3), status: 'cancelled' }),
  ];
  open('subscriptions', adminWorld({ subscriptions, users: [GRACE] }));
  const [first, second, third, fourth] = await table('Subscriptions');
  expect(texts(first)).toEqual([
    'c0ffee00...grace@example.com',
    'Professional',
    'Active',
    '$99.00',
    'Dec 21, 2026',
    'Nov 21, 2026',
  ]);
  expect(second?.[2]?.textContent).toBe('Past dueYour card was declined.');
  expect(third?.[2]?.textContent).toContain('Ends on the renewal date');
  expect(fourth?.[2]?.textContent).toBe('CancelledWill not renew.');
});

describe('a shortened id', () => {
  it('can be copied whole, and has all of itself as its title', async () => {
    const { user } = open('usage', adminWorld({ usage: [mockAdminUsage({ resourceId: ALAN.id })] }));
    await screen.findByTitle(ALAN.id);
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(screen.getByRole('button', { name: `Copy resource ID ${ALAN.id}` }));
    expect(write).toHaveBeenCalledExactlyOnceWith(ALAN.id);
  });
});
