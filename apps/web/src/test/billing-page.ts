import { screen, within } from '@testing-library/react';
import { type MockBilling, mockBillingWorld } from './mock-billing.ts';
import type { MockWorld } from './mock-world.ts';
import { renderPage } from './render-page.tsx';

/** A refusal without a reason that a person could do something about. */
export const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

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
