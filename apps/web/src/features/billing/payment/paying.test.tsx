import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  calls,
  DETAILS,
  DOWN,
  enterCard,
  openPayment,
  PAID,
  pay,
  toastOf,
  UNEXPLAINED,
} from '../../../test/billing-page.ts';
import { mockSubscription } from '../../../test/mock-billing.ts';
import { mockApi, shownToast } from '../../../test/render-page.tsx';

mockApi();

describe('paying in test mode', () => {
  it('says so where a plan that was paid for later has its place', async () => {
    const professional = mockSubscription({ planTier: 'professional', amount: 9900 });
    const { user } = await openPayment({ overtaken: true, subscription: professional });
    await user.click(await enterCard(user));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({
        title: 'Payment recorded',
        description: "The Starter plan isn't active: a later payment replaced it, or it was cancelled.",
      }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('$99.00')).toBeDefined();
  });

  it('is processing while it is busy, and does not close meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    const { user, dialog } = await openPayment(
      {},
      { delays: { 'billing.confirmSandboxPayment': gate.promise } },
    );
    await pay(user);
    expect(await dialog.findByRole('button', { name: 'Processing...' })).toHaveProperty('disabled', true);
    expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', true);
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: DETAILS })).toBeDefined();
    gate.resolve();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['why', DOWN, DOWN.message],
    ['no more than it knows', UNEXPLAINED, 'Failed to process payment'],
  ])('says %s when it cannot be confirmed', async (_, refusal, sentence) => {
    const { user, dialog } = await openPayment(
      {},
      { refusals: { 'billing.confirmSandboxPayment': refusal } },
    );
    await pay(user);
    await toastOf('Error', sentence);
    expect((await dialog.findByRole('alert')).textContent).toBe(sentence);
  });

  it('does not pay again when only the subscription could not be recorded', async () => {
    const { user, world, dialog } = await openPayment({}, { refusals: { 'billing.subscribe': UNEXPLAINED } });
    await pay(user);
    await toastOf('Error', 'Failed to process payment');
    expect(await dialog.findByText('Your payment succeeded, but the plan is not active yet')).toBeDefined();
    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls(world, 'confirmSandboxPayment')).toHaveLength(1);
    expect(calls(world, 'subscribe')).toEqual([PAID]);
  });

  it('wants an expiry that is one, and shows what the server finds wrong with a field', async () => {
    const { user, world, dialog } = await openPayment(
      {},
      {
        refusals: {
          'billing.confirmSandboxPayment': {
            code: 'BAD_REQUEST',
            reason: 'VALIDATION',
            message: 'Enter a card number of 12 to 19 digits.',
            fields: [{ path: 'cardNumber', message: 'Enter a card number of 12 to 19 digits.' }],
          },
        },
      },
    );
    await user.click(await enterCard(user, { expiry: '13/30' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Enter month and year, like 12 / 34.');
    expect(calls(world, 'confirmSandboxPayment')).toEqual([]);
    await user.clear(dialog.getByLabelText('Expiry'));
    await user.type(dialog.getByLabelText('Expiry'), '0430{Enter}');
    await waitFor(() =>
      expect(dialog.getByRole('alert').textContent).toBe('Enter a card number of 12 to 19 digits.'),
    );
  });

  it.each(['Cancel', 'Close'])('begins anew after %s', async (button) => {
    const { user, dialog, world } = await openPayment();
    await user.click(await dialog.findByRole('button', { name: /^4242 4242 4242 4242/ }));
    await user.click(dialog.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const opener = screen.getByRole('button', { name: 'Subscribe Now' });
    await waitFor(() => expect(document.activeElement).toBe(opener));
    await user.click(opener);
    await user.click(await screen.findByRole('button', { name: 'Choose Starter' }));
    const again = within(await screen.findByRole('dialog', { name: DETAILS }));
    expect((await again.findByLabelText<HTMLInputElement>('Card number')).value).toBe('');
    expect(calls(world, 'startPayment')).toHaveLength(2);
  });
});
