import { PLANS } from '@nephos/contracts/constants';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DETAILS, DOWN, openPlans, SUBSCRIBED, toastOf, UNEXPLAINED } from '../../../test/billing-page.ts';
import { mockBillingWorld, mockSubscription } from '../../../test/mock-billing.ts';
import { UNAUTHORIZED } from '../../../test/mock-world.ts';
import { mockApi, renderPage } from '../../../test/render-page.tsx';

mockApi();

describe('the plans', () => {
  it('are three, with what each has', async () => {
    const { plans } = await openPlans();
    const names = plans.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(names).toEqual(['Starter', 'Professional', 'Enterprise']);
    for (const price of ['$29', '$99', '$299']) expect(plans.getByText(price)).toBeDefined();
    for (const { name, features } of Object.values(PLANS)) {
      const items = within(plans.getByRole('list', { name: `In ${name}` })).getAllByRole('listitem');
      expect(items.map(({ textContent }) => textContent)).toEqual(features);
    }
  });

  it.each([
    ['that the provider is not there', DOWN, DOWN.message],
    ['that there is a subscription already', SUBSCRIBED, SUBSCRIBED.message],
    ['no more than it knows', UNEXPLAINED, 'Failed to initiate payment'],
  ])('say %s', async (_, refusal, sentence) => {
    const { user, plans } = await openPlans({}, { refusals: { 'billing.startPayment': refusal } });
    await user.click(plans.getByRole('button', { name: 'Choose Starter' }));
    expect((await plans.findByRole('alert')).textContent).toBe(sentence);
    await toastOf('Error', sentence);
    expect(screen.queryByRole('dialog', { name: DETAILS })).toBeNull();
  });

  it('lead to the login page when the session is over', async () => {
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    const { user, plans } = await openPlans({}, { refusals: { 'billing.startPayment': UNAUTHORIZED } });
    await user.click(plans.getByRole('button', { name: 'Choose Starter' }));
    await toastOf('Unauthorized', 'You are logged out. Logging in again...');
    expect(await left.promise).toBe('/api/login?returnTo=%2Fbilling');
  });
});

describe('a renewal that is past due', () => {
  const PAST_DUE = mockSubscription({ status: 'past_due', failure: 'Your card was declined.' });

  it('can be tried again when it could not be begun', async () => {
    const { user, world } = renderPage('/billing', {
      billing: mockBillingWorld({ subscription: PAST_DUE }),
      refusals: { 'billing.startPayment': DOWN },
    });
    await user.click(await screen.findByRole('button', { name: 'Pay now' }));
    const dialog = within(await screen.findByRole('dialog', { name: DETAILS }));
    expect((await dialog.findByRole('alert')).textContent).toBe(DOWN.message);
    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByLabelText('Card number')).toBeDefined();
  });
});
