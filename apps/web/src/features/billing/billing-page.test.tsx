import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { BROKEN, figureOf, openBilling } from '../../test/billing-page.ts';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockPayment, mockSubscription, mockSummary } from '../../test/mock-billing.ts';
import { mockUser, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, shownToast } from '../../test/render-page.tsx';

mockApi();

const DAY = 24 * 60 * 60 * 1000;
const ENDED = mockUser({ trialActive: false, trialEndDate: '2026-11-01T00:00:00.000Z' });
function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('the status of the account', () => {
  it('is a trial, with its end and what it allows', async () => {
    const trialEndDate = new Date(Date.now() + 9.5 * DAY).toISOString();
    openBilling({}, { user: mockUser({ trialEndDate }) });
    expect(await screen.findByText('Trial Active')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Billing & Usage' })).toBeDefined();
    const trial = screen.getByText('14-Day Free Trial').nextElementSibling;
    expect(trial?.textContent).toMatch(/^Ends on \w{3} \d+, \d{4}\. 10 days remaining\.$/);
    expect(screen.getByText(/^Marketplace items can be installed during the trial/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Subscribe Now' })).toBeDefined();
  });

  it('is restricted once the trial has ended', async () => {
    openBilling({}, { user: ENDED });
    expect(await screen.findByText('No Subscription')).toBeDefined();
    const text =
      'Marketplace Access Restricted: Your trial has ended. Subscribe to a plan to continue installing marketplace items and access premium features.';
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText('14-Day Free Trial')).toBeNull();
  });

  it('is a subscription, with plan, cost and renewal', async () => {
    openBilling({ subscription: mockSubscription({ planTier: 'professional', amount: 9900 }) });
    expect(await screen.findByText('Active')).toBeDefined();
    expect(figureOf('Plan')).toBe('Professional');
    expect(figureOf('Monthly cost')).toBe('$99.00');
    expect(figureOf('Renewal date')).toBe('Dec 21, 2026');
    expect(screen.queryByText('Trial Active')).toBeNull();
    expect(screen.getByRole('button', { name: 'Change Plan' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Subscribe Now' })).toBeNull();
  });

  it('is past due, with the failure, the next attempt and a way to pay', async () => {
    openBilling({
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
    openBilling({
      subscription: mockSubscription({ renewing: true, renewalDate: '2026-11-19T10:00:00.000Z' }),
    });
    expect(await screen.findByText('Active')).toBeDefined();
    expect(screen.getByText('Renewal pending')).toBeDefined();
    expect(figureOf('Renewal due')).toBe('Nov 19, 2026');
    expect(screen.getByText(/^Your card is charged as soon as/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Change Plan' })).toBeDefined();
    expect(screen.queryByText('No Subscription')).toBeNull();
  });

  it('promises nothing about a renewal that was under way when it was cancelled', async () => {
    const { user } = openBilling({ subscription: mockSubscription({ renewing: true }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel Subscription?' }));
    expect(dialog.getByText(/^The renewal of the Starter plan is under way\./)).toBeDefined();
    await user.type(dialog.getByRole('textbox'), 'Starter{Enter}');
    expect(await screen.findByText('Cancelled at period end')).toBeDefined();
    expect(screen.getByText(/^It was under way when you cancelled\./)).toBeDefined();
    expect(screen.queryByText(/It is not charged again\.$/)).toBeNull();
  });

  it('is that nothing is sold where billing is switched off, and usage is all there is', async () => {
    openBilling(
      { enabled: false, summary: mockSummary({ paymentMethod: null }), subscription: mockSubscription() },
      { user: ENDED },
    );
    expect(await screen.findByText('Billing is switched off on this server')).toBeDefined();
    expect(await screen.findByText('Active Resources')).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Usage Records' })).toBeDefined();
    for (const words of ['Subscription Status', 'Payment Method', 'No Subscription']) {
      expect(screen.queryByText(words)).toBeNull();
    }
    expect(screen.queryByRole('button', { name: /subscri|plan|pay/i })).toBeNull();
  });

  it('follows what changes elsewhere', async () => {
    const { world } = openBilling({}, { user: ENDED });
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
    openBilling({}, { refusals: { 'billing.activeSubscription': UNAUTHORIZED } });
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
    const { user, world } = openBilling({ subscription: mockSubscription() });
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
    const { user } = openBilling(
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
    const { user } = openBilling({ subscription: mockSubscription({ status: 'past_due' }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/is not paid for: it ends at once/)).toBeDefined();
  });
});

describe('the card', () => {
  it('is shown masked, and removed once its digits were typed', async () => {
    const { user } = openBilling({ summary: mockSummary() });
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
    const { user } = openBilling(
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
