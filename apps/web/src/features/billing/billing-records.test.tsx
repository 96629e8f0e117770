import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { figureOf, openBilling, rowsOf } from '../../test/billing-page.ts';
import { mockPayment, mockSummary, mockUsageRecord } from '../../test/mock-billing.ts';
import { BROKEN, idOf } from '../../test/mock-world.ts';
import { mockApi } from '../../test/render-page.tsx';

mockApi();

describe('the figures', () => {
  it('of an account without history are the sample, and say so', async () => {
    openBilling();
    expect(await screen.findByText('+25% from last month')).toBeDefined();
    expect(figureOf('Current Month')).toBe('$250.00');
    expect(figureOf('Total Spend (6mo)')).toBe('$1,120.00');
    expect(figureOf('Active Resources')).toBe('0');
    expect(figureOf('Payment Method')).toBe('No card');
    // Two tiles and two charts.
    expect(screen.getAllByText('Sample data')).toHaveLength(4);
    expect(await rowsOf('Cost trend by month')).toEqual([
      ['Month', 'Cost'],
      ['Jan', '$120.00'],
      ['Feb', '$150.00'],
      ['Mar', '$180.00'],
      ['Apr', '$220.00'],
      ['May', '$200.00'],
      ['Jun', '$250.00'],
    ]);
    expect(await rowsOf('Resource usage')).toEqual([
      ['Resource', 'Usage'],
      ['Deployments', '45%'],
      ['Databases', '28%'],
      ['Storage', '65%'],
      ['Containers', '38%'],
    ]);
  });

  it('of an account with one are what it was charged, with its usage as a figure of its own', async () => {
    openBilling({ summary: mockSummary() });
    expect(await screen.findByText('+241.4% from last month')).toBeDefined();
    expect(figureOf('Current Month')).toBe('$99.00');
    expect(figureOf('Total Spend (6mo)')).toBe('$128.00');
    expect(screen.getByText('Metered usage: $1.50, not charged')).toBeDefined();
    expect(screen.getByText('Metered usage: $2.70, not charged')).toBeDefined();
    expect(figureOf('Active Resources')).toBe('3');
    expect(screen.queryByText('Sample data')).toBeNull();
    expect((await rowsOf('Cost trend by month')).slice(-2)).toEqual([
      ['Oct 2026', '$29.00', '$1.20'],
      ['Nov 2026', '$99.00', '$1.50'],
    ]);
    expect(await rowsOf('Resource usage')).toEqual([
      ['Day', 'Deployments', 'Databases'],
      ['Nov 21', '$0.08', '<$0.01'],
      ['Nov 20', '$0.19', '$0.00'],
    ]);
    expect(await screen.findByRole('img', { name: /^Line chart of the metered usage/ })).toBeDefined();
    const legends = (await screen.findAllByRole('list', { name: 'Lines' })).map((legend) =>
      within(legend)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    );
    expect(legends).toEqual([
      ['Charged', 'Metered usage'],
      ['Deployments', 'Databases'],
    ]);
    expect(await screen.findByRole('img', { name: /^Area chart/ })).toBeDefined();
  });

  it('have nothing to compare with after a month without charges, and no lines without usage', async () => {
    openBilling({ summary: mockSummary({ percentChange: null, days: [] }) });
    expect(await screen.findByText('No charges last month')).toBeDefined();
    expect(await screen.findByText('No usage in the last 30 days')).toBeDefined();
  });

  it('are not there where nothing is sold: there is usage and what one may have, without a price', async () => {
    openBilling({ enabled: false, usage: [mockUsageRecord()], setByAdmin: ['projects'] });
    expect(await screen.findByRole('heading', { level: 1, name: 'Usage' })).toBeDefined();
    expect((await rowsOf('Usage records')).at(-1)).toHaveLength(4);
    // Projects and previews.
    expect(await screen.findAllByText('0, no limit')).toHaveLength(2);
    expect(screen.getByText('0 of 100')).toBeDefined();
    expect(screen.getByText(/set by an admin/)).toBeDefined();
    expect(document.body.textContent).not.toMatch(/\$|\b(?:plans?|trial|cost|subscri\w+)\b/i);
  });

  it('may be missing: one can pay all the same', async () => {
    const { user, world } = openBilling({}, { refusals: { 'billing.summary': BROKEN } });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Subscribe Now' })).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    const again = await screen.findByRole('button', { name: 'Try again' });
    world.refusals = {};
    await user.click(again);
    expect(await screen.findByText('+25% from last month')).toBeDefined();
  });
});

describe('usage records', () => {
  it('say resource, amount, cost and date', async () => {
    openBilling({
      usage: [
        mockUsageRecord(),
        mockUsageRecord({
          id: idOf(940),
          resourceType: 'storage',
          resourceId: null,
          resourceName: null,
          amount: 2.5,
          cost: 0.0075,
          timestamp: null,
        }),
        mockUsageRecord({
          ...{ id: idOf(939), resourceType: 'database', resourceId: idOf(2) },
          ...{ resourceName: 'Orders', resourceDeleted: true },
        }),
        mockUsageRecord({
          ...{ id: idOf(938), resourceType: 'container', resourceId: idOf(3) },
          ...{ resourceName: null, resourceDeleted: true },
        }),
      ],
    });
    await screen.findByText('2.5 GB-hours');
    const table = screen.getByRole('table', { name: 'Usage records' });
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows[0]).toEqual(['Resource type', 'Resource', 'Amount', 'Cost', 'Date']);
    expect(rows[1]?.slice(0, 4)).toEqual(['Deployments', 'Shop', '1 hour', '$0.008']);
    expect(rows[1]?.[4]).toMatch(/^Nov 21, 2026/);
    expect(rows[2]).toEqual(['Storage', 'All files', '2.5 GB-hours', '$0.000075', 'N/A']);
    expect(rows[3]?.slice(0, 2)).toEqual(['Databases', 'OrdersDeleted']);
    // Its name was never kept.
    expect(rows[4]?.slice(0, 2)).toEqual(['Containers', `${idOf(3)}Deleted`]);
    expect(within(table).getByRole('link', { name: 'Shop' }).getAttribute('href')).toBe(
      `/projects/${idOf(1)}`,
    );
    expect(within(table).getByRole('link', { name: 'All files' }).getAttribute('href')).toBe('/storage');
    expect(within(table).queryByRole('link', { name: 'Orders' })).toBeNull();
  });

  it('are skeletons while they load, and say that there are none', async () => {
    const usage = Promise.withResolvers<void>();
    openBilling({}, { delays: { 'billing.usage': usage.promise } });
    const status = (await screen.findByText('Loading usage records')).parentElement;
    expect(status && within(status).getAllByTestId('skeleton-row')).toHaveLength(3);
    usage.resolve();
    expect(await screen.findByRole('heading', { name: 'No usage records available yet' })).toBeDefined();
  });

  it('come by pages, and say when more cannot be had', async () => {
    const usage = Array.from({ length: 61 }, (_, index) =>
      mockUsageRecord({ id: idOf(9000 - index), resourceName: `App ${index}` }),
    );
    const { user, world } = openBilling({ usage });
    const more = await screen.findByRole('button', { name: 'Show more' });
    world.refusals['billing.usage'] = BROKEN;
    await user.click(more);
    expect((await screen.findByRole('alert')).textContent).toBe("Couldn't load more usage records.");
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('App 60')).toBeDefined();
  });

  it.each([
    ['usage', 'No usage records available yet'],
    ['payments', 'No payments yet'],
  ])('keep the page while %s cannot be loaded', async (list, empty) => {
    const { user, world } = openBilling({}, { refusals: { [`billing.${list}`]: BROKEN } });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(empty)).toBeDefined();
  });
});

it('payments say what was charged, when and how, and why one failed', async () => {
  const failed = mockPayment({
    id: idOf(920),
    invoiceId: 'INV-2026-000002',
    amount: 19.99,
    status: 'failed',
    failure: 'Your card was declined.',
    paymentDate: null,
  });
  openBilling({ payments: [mockPayment(), failed] });
  await screen.findByText('INV-2026-000001');
  const table = within(screen.getByRole('table', { name: 'Payments' }));
  const rows = table
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows[1]).toEqual([
    'INV-2026-000001',
    expect.stringMatching(/^Nov 21, 2026/),
    'Visa ending 4242',
    'Completed',
    '$29.00',
  ]);
  expect(rows[2]).toEqual([
    'INV-2026-000002',
    'N/A',
    'Visa ending 4242Your card was declined.',
    'Failed',
    '$19.99',
  ]);
});

it('the rates say what usage is worth, and that it is not charged', async () => {
  openBilling();
  const rates = within(await screen.findByRole('list', { name: 'Usage Rates' }));
  expect(rates.getByText('$0.008 per hour')).toBeDefined();
  expect(rates.getAllByText('$0.00003 per GB-hour')).toHaveLength(2);
  expect(rates.getByText('$0.01 per GB')).toBeDefined();
  expect(screen.getByText(/You aren't charged for usage, only for your plan/)).toBeDefined();
});
