import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls, DOWN, openPayment, PAID, toastOf } from '../../../test/billing-page.ts';
import { type MockBilling, mockSubscription, mockSummary } from '../../../test/mock-billing.ts';
import { mockApi, shownToast } from '../../../test/render-page.tsx';

mockApi();

const PAY = { name: 'Pay with card ending 4242' };
const INTENT = { paymentIntentId: PAID.paymentIntentId };

/** A change of plan by somebody whose card is kept. */
function change(savedCard: MockBilling['savedCard'] = {}, refusals = {}) {
  const subscription = mockSubscription({ planTier: 'professional', amount: 9900 });
  return openPayment({ subscription, summary: mockSummary(), savedCard }, { refusals });
}

describe('the saved card', () => {
  it('pays a change of plan at one click, with nothing to type', async () => {
    const { user, world, dialog } = await change();
    await user.click(await dialog.findByRole('button', PAY));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Subscription activated successfully!' }),
    );
    expect(calls(world, 'payWithSavedCard')).toEqual([INTENT]);
    expect(calls(world, 'confirmSandboxPayment')).toEqual([]);
    expect(calls(world, 'subscribe')).toEqual([PAID]);
  });

  it('makes way for another', async () => {
    const { user, dialog } = await change();
    expect(await dialog.findByText('Visa ending 4242')).toBeDefined();
    expect(dialog.getByText('Test mode: no real money moves')).toBeDefined();
    expect(dialog.queryByLabelText('Card number')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Use another card' }));
    expect(await dialog.findByLabelText('Card number')).toBeDefined();
    expect(dialog.queryByRole('button', PAY)).toBeNull();
  });

  it('that is declined says why, and can be tried again', async () => {
    const message = 'Your card was declined.';
    const { user, world, dialog } = await change({ status: 'requires_payment_method', message });
    await user.click(await dialog.findByRole('button', PAY));
    await toastOf('Payment Failed', message);
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(calls(world, 'subscribe')).toEqual([]);
    world.billing.savedCard = {};
    await user.click(dialog.getByRole('button', PAY));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls(world, 'subscribe')).toEqual([PAID]);
  });

  it('is confirmed at its bank where that asks', async () => {
    const { user, world, dialog } = await change({ status: 'requires_action' });
    await user.click(await dialog.findByRole('button', PAY));
    expect(await dialog.findByText('Your bank asks you to confirm this payment')).toBeDefined();
    expect(calls(world, 'subscribe')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls(world, 'subscribe')).toEqual([PAID]);
  });

  it('that its owner denies at the bank is offered again', async () => {
    const { user, world, dialog } = await change({ status: 'requires_action' });
    await user.click(await dialog.findByRole('button', PAY));
    await user.click(await dialog.findByRole('button', { name: 'Deny' }));
    expect(await dialog.findByRole('button', PAY)).toHaveProperty('disabled', false);
    expect(calls(world, 'subscribe')).toEqual([]);
  });

  it('leaves to the bank what that has not decided', async () => {
    const { user, world, dialog } = await change({ status: 'processing' });
    await user.click(await dialog.findByRole('button', PAY));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Your bank is processing the payment' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls(world, 'subscribe')).toEqual([]);
  });

  it('says why it could not be charged', async () => {
    const { user, dialog } = await change({}, { 'billing.payWithSavedCard': DOWN });
    await user.click(await dialog.findByRole('button', PAY));
    await toastOf('Error', DOWN.message);
    expect((await dialog.findByRole('alert')).textContent).toBe(DOWN.message);
  });
});
