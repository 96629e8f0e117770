import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openBilling } from '../../test/billing-page.ts';
import { mockSubscription, mockSummary } from '../../test/mock-billing.ts';
import { BROKEN, mockUser, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, shownToast } from '../../test/render-page.tsx';

mockApi();

const ENDED = mockUser({ trialActive: false, trialEndDate: '2026-11-01T00:00:00.000Z' });

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('the status of the account', () => {
  it('is restricted once the trial has ended', async () => {
    openBilling({}, { user: ENDED });
    expect(await screen.findByText('No Subscription')).toBeDefined();
    const text =
      'Marketplace Access Restricted: Your trial has ended. Subscribe to a plan to continue installing marketplace items and access premium features.';
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText('14-Day Free Trial')).toBeNull();
  });

  it('promises nothing about a renewal that was under way when it was cancelled', async () => {
    const { user } = openBilling({ subscription: mockSubscription({ renewing: true }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel subscription?' }));
    expect(dialog.getByText(/^Your Starter plan is being renewed right now\./)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Cancel subscription' }));
    expect(await screen.findByText('Cancels at period end')).toBeDefined();
    expect(screen.getByText(/^The renewal had already started when you cancelled\./)).toBeDefined();
    expect(screen.queryByText(/You won't be charged again\.$/)).toBeNull();
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
      await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
      const dialog = within(await screen.findByRole('alertdialog'));
      await user.click(dialog.getByRole('button', { name: 'Cancel subscription' }));
    }
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: BROKEN.message }));
  });

  it('of a plan that is past due ends it at once, and says so', async () => {
    const { user } = openBilling({ subscription: mockSubscription({ status: 'past_due' }) });
    await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/ends now, since its last payment failed/)).toBeDefined();
  });
});

describe('the card', () => {
  it('is shown masked, and removed once its digits were typed', async () => {
    const { user } = openBilling({ summary: mockSummary() });
    expect(await screen.findByText('Visa ending 4242')).toBeDefined();
    expect(screen.getByText('Expires 04/2030')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove card' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove card?' }));
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
