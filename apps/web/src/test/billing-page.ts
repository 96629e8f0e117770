import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { type MockBilling, mockBillingWorld } from './mock-billing.ts';
import type { MockWorld } from './mock-world.ts';
import { renderPage, shownToast } from './render-page.tsx';

export function openBilling(billing: Partial<MockBilling> = {}, state: Partial<MockWorld> = {}) {
  return renderPage('/billing', { billing: mockBillingWorld(billing), ...state });
}

/** What stands beside a term. */
export function figureOf(term: string) {
  return screen.getByText(term).nextElementSibling?.textContent;
}

/** The rows of a table, which may be in a closed `details`. */
export async function rowsOf(name: string) {
  const table = await screen.findByRole('table', { name, hidden: true });
  return within(table)
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map(({ textContent }) => textContent));
}

export const DETAILS = 'Enter Payment Details - Starter Plan';
export const PAID = { planTier: 'starter', paymentIntentId: 'pi_mock00000001' };
export const DOWN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Card payments are not available at the moment.',
} as const;
export const SUBSCRIBED = {
  code: 'CONFLICT',
  reason: 'ALREADY_SUBSCRIBED',
  message: "You're already subscribed to the Starter plan.",
} as const;
/** Nobody could say why. */
export const UNEXPLAINED = { code: 'INTERNAL_SERVER_ERROR', reason: '', message: 'Boom' } as const;

export async function openPlans(billing: Partial<MockBilling> = {}, state: Partial<MockWorld> = {}) {
  const page = openBilling(billing, state);
  await page.user.click(await screen.findByRole('button', { name: /^(Subscribe Now|Change plan)$/ }));
  return { ...page, plans: within(await screen.findByRole('dialog', { name: 'Choose Your Plan' })) };
}

export async function openPayment(billing: Partial<MockBilling> = {}, state: Partial<MockWorld> = {}) {
  const page = await openPlans(billing, state);
  await page.user.click(page.plans.getByRole('button', { name: 'Choose Starter' }));
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: DETAILS })) };
}

export async function enterCard(user: UserEvent, { expiry = '04/30' } = {}) {
  const dialog = within(screen.getByRole('dialog'));
  await user.type(await dialog.findByLabelText('Card number'), '4242 4242 4242 4242');
  await user.type(dialog.getByLabelText('Expiry'), expiry);
  await user.type(dialog.getByLabelText('Security code'), '123');
  return dialog.getByRole<HTMLButtonElement>('button', { name: 'Confirm Payment' });
}

export async function pay(user: UserEvent) {
  const dialog = within(screen.getByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: /^4242 4242 4242 4242/ }));
  await user.click(dialog.getByRole('button', { name: 'Confirm Payment' }));
}

export function calls(world: MockWorld, path: string) {
  return world.calls.filter((call) => call.path === `billing.${path}`).map(({ input }) => input);
}

export function toastOf(title: string, description: string) {
  return waitFor(() => expect(shownToast()).toEqual({ title, description, variant: 'destructive' }));
}
