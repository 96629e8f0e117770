import { screen, within } from '@testing-library/react';

export const NO_TRANSACTIONS = 'No transactions yet. Start sending or receiving payments!';
export const NO_BENEFICIARIES = 'No beneficiaries yet. Add one for quick transfers!';

/** The item of a list that says `text`. */
export async function row(text: string) {
  const item = (await screen.findByText(text)).closest('li');
  if (!item) throw new Error(`${text} is not in a list`);
  return within(item);
}
