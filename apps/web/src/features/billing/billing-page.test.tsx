import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import {
  type MockBilling,
  mockBillingWorld,
  mockPayment,
  mockSubscription,
  mockSummary,
  mockUsageRecord,
} from '../../test/mock-billing.ts';
import { idOf, type MockWorld, mockUser, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const DAY = 24 * 60 * 60 * 1000;
const ENDED = mockUser({ trialActive: false, trialEndDate: '2026-11-01T00:00:00.000Z' });
const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

function open(billing: Partial<MockBilling> = {}, state: Partial<MockWorld> = {}) {
  return renderPage('/billing', { billing: mockBillingWorld(billing), ...state });
}

function figureOf(term: string) {
  return screen.getByText(term).nextElementSibling?.textContent;
}

/** The rows of a table, which may be in a closed `details`. */
async function rowsOf(name: string) {
  const table = await screen.findByRole('table', { name, hidden: true });
  return within(table)
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map(({ textContent }) => textContent));
}

describe('the status of the account', () => {
  it('is a trial, with its end and what it allows', async () => {
    const trialEndDate = new Date(Date.now() + 9.5 * DAY).toISOString();
    open({}, { user: mockUser({ trialEndDate }) });
    expect(await screen.findByText('Trial Active')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Billing & Usage' })).toBeDefined();
    const trial = screen.getByText('14-Day Free Trial').nextElementSibling;
    expect(trial?.textContent).toMatch(/^Ends on \w{3} \d+, \d{4}\. 10 days remaining\.$/);
    expect(screen.getByText(/^Marketplace items can be installed during the trial/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Subscribe Now' })).toBeDefined();
  });

  it('is restricted once the trial has ended', async () => {
    open({}, { user: ENDED });
    expect(await screen.findByText('No Subscription')).toBeDefined();
    const text =
      'Marketplace Access Restricted: Your trial has ended. Subscribe to a plan to continue installing marketplace items and access premium features.';
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText('14-Day Free Trial')).toBeNull();
  });

  it('is a subscription, with plan, cost and renewal', async () => {
    open({ subscription: mockSubscription({ planTier: 'professional', amount: 9900 }) });
    expect(await screen.findByText('Active')).toBeDefined();
    expect(figureOf('Plan')).toBe('Professional');
    expect(figureOf('Monthly cost')).toBe('$99.00');
    expect(figureOf('Renewal date')).toBe('Dec 21, 2026');
    expect(screen.queryByText('Trial Active')).toBeNull();
    expect(screen.getByRole('button', { name: 'Change Plan' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Subscribe Now' })).toBeNull();
  });

  it('is past due, with the failure, the next attempt and a way to pay', async () => {
    open({
      subscription: mockSubscription({
        status: 'past_due',
        failure: 'Your card was declined.',
        nextAttempt: '2026-11-24T10:00:00.000Z',
      }),
    });
    expect(await screen.findByText('Past due')).toBeDefined();
    expect(screen.getByText(/Your card was declined\..*tried again on Nov 24, 2026/)).toBeDefined();
    expect(figureOf('Renewal was due')).toBe('Dec 21, 2026');
    expect(screen.getByRole('button', { name: 'Pay Now' })).toBeDefined();
  });

  it('stays active while its renewal is not decided, and says so', async () => {
    open({ subscription: mockSubscription({ renewing: true, renewalDate: '2026-11-19T10:00:00.000Z' }) });
    expect(await screen.findByText('Active')).toBeDefined();
    expect(screen.getByText('Renewal pending')).toBeDefined();
    expect(figureOf('Renewal due')).toBe('Nov 19, 2026');
    expect(screen.getByText(/^Your card is charged as soon as/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Change Plan' })).toBeDefined();
    expect(screen.queryByText('No Subscription')).toBeNull();
  });

  it('promises nothing about a renewal that was under way when it was cancelled', async () => {
    const { user } = open({ subscription: mockSubscription({ renewing: true }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel Subscription?' }));
    expect(dialog.getByText(/^The renewal of the Starter plan is under way\./)).toBeDefined();
    await user.type(dialog.getByRole('textbox'), 'Starter{Enter}');
    expect(await screen.findByText('Cancelled at period end')).toBeDefined();
    expect(screen.getByText(/^It was under way when you cancelled\./)).toBeDefined();
    expect(screen.queryByText(/It is not charged again\.$/)).toBeNull();
  });

  it('follows what changes elsewhere', async () => {
    const { world } = open({}, { user: ENDED });
    await screen.findByText('No Subscription');
    const stream = await vi.waitFor(() => {
      const opened = FakeEventSource.of('billing.changes');
      if (!opened) throw new Error('Nobody listens');
      return opened;
    });
    act(() => stream.connect());
    world.billing.subscription = mockSubscription();
    world.billing.payments = [mockPayment()];
    act(() => stream.send('1', {}));
    expect(await screen.findByText('Active')).toBeDefined();
    expect(await screen.findByText('INV-2026-000001')).toBeDefined();
  });

  it('leads to the login page when the session is over', async () => {
    quiet();
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    open({}, { refusals: { 'billing.activeSubscription': UNAUTHORIZED } });
    await waitFor(() =>
      expect(shownToast()).toEqual({
        title: 'Unauthorized',
        description: 'You are logged out. Logging in again...',
        variant: 'destructive',
      }),
    );
    expect(await left.promise).toBe('/api/login?returnTo=%2Fbilling');
  });
});

describe('a cancellation', () => {
  it('waits for the name of the plan, holds until the period ends, and can be taken back', async () => {
    const { user, world } = open({ subscription: mockSubscription() });
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel Subscription?' }));
    expect(dialog.getByText(/^The Starter plan stays active until Dec 21, 2026/)).toBeDefined();
    await user.type(dialog.getByRole('textbox'), 'Starter{Enter}');
    expect(await screen.findByText('Cancelled at period end')).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Subscription cancelled' });
    expect(figureOf('Ends on')).toBe('Dec 21, 2026');
    expect(screen.getByText(/^Your plan stays active until Dec 21, 2026\./)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(await screen.findByRole('button', { name: 'Cancel Subscription' })).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Subscription resumed' });
    expect(figureOf('Renewal date')).toBe('Dec 21, 2026');
    expect(world.calls.map(({ path }) => path)).toContain('billing.resume');
  });

  it.each([
    ['cancel', { cancelAtPeriodEnd: false }],
    ['resume', { cancelAtPeriodEnd: true }],
  ])('says why one cannot %s', async (action, changes) => {
    const { user } = open(
      { subscription: mockSubscription(changes) },
      { refusals: { [`billing.${action}`]: BROKEN } },
    );
    if (action === 'resume') await user.click(await screen.findByRole('button', { name: 'Resume' }));
    else {
      await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
      await user.type(await screen.findByRole('textbox'), 'Starter{Enter}');
    }
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: BROKEN.message }));
  });

  it('of a plan that is past due ends it at once, and says so', async () => {
    const { user } = open({ subscription: mockSubscription({ status: 'past_due' }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/is not paid for: it ends at once/)).toBeDefined();
  });
});

describe('the figures', () => {
  it('of an account without history are the sample, and say so', async () => {
    open();
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

  it('of an account with one are its own', async () => {
    open({ summary: mockSummary() });
    expect(await screen.findByText('+25.3% from last month')).toBeDefined();
    expect(figureOf('Current Month')).toBe('$1.50');
    expect(figureOf('Total Spend (6mo)')).toBe('$2.70');
    expect(figureOf('Active Resources')).toBe('3');
    expect(screen.queryByText('Sample data')).toBeNull();
    expect((await rowsOf('Cost trend by month')).slice(-2)).toEqual([
      ['Oct 2026', '$1.20'],
      ['Nov 2026', '$1.50'],
    ]);
    expect(await rowsOf('Resource usage')).toEqual([
      ['Day', 'Deployments', 'Databases'],
      ['Nov 21', '$0.08', '<$0.01'],
      ['Nov 20', '$0.19', '$0.00'],
    ]);
    expect(
      await screen.findByRole('img', { name: /^Line chart of what each type of resource/ }),
    ).toBeDefined();
    const lines = within(screen.getByRole('list', { name: 'Lines' })).getAllByRole('listitem');
    expect(lines.map(({ textContent }) => textContent)).toEqual(['Deployments', 'Databases']);
    expect(await screen.findByRole('img', { name: /^Area chart/ })).toBeDefined();
  });

  it('have nothing to compare with after a month without cost', async () => {
    open({ summary: mockSummary({ percentChange: null }) });
    expect(await screen.findByText('Nothing last month to compare with')).toBeDefined();
  });

  it('may be missing: one can pay all the same', async () => {
    const { user, world } = open({}, { refusals: { 'billing.summary': BROKEN } });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Subscribe Now' })).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    const again = await screen.findByRole('button', { name: 'Try again' });
    world.refusals = {};
    await user.click(again);
    expect(await screen.findByText('+25% from last month')).toBeDefined();
  });
});

describe('the card', () => {
  it('is shown masked, and removed once its digits were typed', async () => {
    const { user } = open({ summary: mockSummary() });
    expect(await screen.findByText('Visa ending 4242')).toBeDefined();
    expect(screen.getByText('Expires 04/2030')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove card' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove Card?' }));
    await user.type(dialog.getByRole('textbox'), '4242{Enter}');
    expect(await screen.findByText('No card')).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Card removed' });
  });

  it('stays while a subscription renews by it', async () => {
    const message = 'Your subscription renews by this card. Cancel it first.';
    const { user } = open(
      { summary: mockSummary() },
      { refusals: { 'billing.removeCard': { code: 'CONFLICT', reason: 'CARD_IN_USE', message } } },
    );
    await user.click(await screen.findByRole('button', { name: 'Remove card' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.type(dialog.getByRole('textbox'), '4242{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(shownToast()).toMatchObject({ title: 'Error', description: message });
  });
});

describe('usage records', () => {
  it('say resource type, amount, cost and date', async () => {
    open({
      usage: [
        mockUsageRecord(),
        mockUsageRecord({
          id: idOf(940),
          resourceType: 'storage',
          resourceId: null,
          amount: 2.5,
          cost: 0.0075,
          timestamp: null,
        }),
      ],
    });
    const table = await screen.findByRole('table', { name: 'Usage records' });
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows[0]).toEqual(['Resource type', 'Resource', 'Amount', 'Cost', 'Date']);
    expect(rows[1]?.slice(0, 4)).toEqual(['Deployments', idOf(1), '1 hour', '$0.008']);
    expect(rows[1]?.[4]).toMatch(/^Nov 21, 2026/);
    expect(rows[2]).toEqual(['Storage', '', '2.5 GB-hours', '$0.000075', 'N/A']);
  });

  it('are skeletons while they load, and say that there are none', async () => {
    const usage = Promise.withResolvers<void>();
    open({}, { delays: { 'billing.usage': usage.promise } });
    const status = (await screen.findByText('Loading usage records')).parentElement;
    expect(status && within(status).getAllByTestId('skeleton-row')).toHaveLength(3);
    usage.resolve();
    expect(await screen.findByRole('heading', { name: 'No usage records available yet' })).toBeDefined();
  });

  it('come by pages, and say when more cannot be had', async () => {
    const usage = Array.from({ length: 61 }, (_, index) =>
      mockUsageRecord({ id: idOf(9000 - index), resourceId: idOf(index) }),
    );
    const { user, world } = open({ usage });
    const more = await screen.findByRole('button', { name: 'Show more' });
    world.refusals['billing.usage'] = BROKEN;
    await user.click(more);
    expect((await screen.findByRole('alert')).textContent).toBe('More usage records could not be loaded.');
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(idOf(60))).toBeDefined();
  });

  it.each([
    ['usage', 'No usage records available yet'],
    ['payments', 'No payments yet'],
  ])('keep the page while %s cannot be loaded', async (list, empty) => {
    const { user, world } = open({}, { refusals: { [`billing.${list}`]: BROKEN } });
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
  open({ payments: [mockPayment(), failed] });
  const table = within(await screen.findByRole('table', { name: 'Payments' }));
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
  open();
  const rates = within(await screen.findByRole('list', { name: 'Usage rates' }));
  expect(rates.getByText('$0.008 per hour')).toBeDefined();
  expect(rates.getAllByText('$0.00003 per GB-hour')).toHaveLength(2);
  expect(rates.getByText('$0.01 per GB')).toBeDefined();
  expect(screen.getByText(/It is not charged: your card pays the price of your plan/)).toBeDefined();
});
