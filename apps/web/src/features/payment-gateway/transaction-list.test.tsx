import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BROKEN, idOf, mockTransaction, mockVirtualAccount } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { row } from './gateway-fixtures.ts';

mockApi();

describe('a transaction', () => {
  const SENT = mockTransaction();
  const RECEIVED = mockTransaction({
    id: idOf(1202),
    type: 'receive',
    reference: 'NP-RECEIVED',
    description: '',
    amount: 123_456,
    senderAccountName: 'Analytical Society',
    senderBankName: 'Bank of Cambridge',
  });
  const FAILED = mockTransaction({
    id: idOf(1203),
    status: 'failed',
    reference: 'NP-FAILED',
    failure: 'The account is closed.',
  });
  const PENDING = { id: idOf(1204), status: 'pending', reference: 'NP-PENDING' } as const;

  it('says who paid whom how much, when and what became of it', async () => {
    renderPage('/payment-gateway?tab=transactions', {
      virtualAccounts: [mockVirtualAccount()],
      transactions: [FAILED, RECEIVED, SENT],
    });
    const sent = await row('Ref: NP-7K3M9QX2TWBD');
    for (const fact of [
      'Sent',
      'Completed',
      'Brass fittings',
      'To: Babbage & Sons (Bank of London)',
      '-$19.99',
    ])
      expect(sent.getByText(fact)).toBeDefined();
    expect(sent.getByText(/Nov 20, 2026/)).toBeDefined();
    expect(sent.queryByRole('button', { name: /Cancel/ })).toBeNull();
    const received = await row('Ref: NP-RECEIVED');
    for (const fact of ['Received', 'From: Analytical Society (Bank of Cambridge)', '+$1,234.56'])
      expect(received.getByText(fact)).toBeDefined();
    const failed = await row('Ref: NP-FAILED');
    for (const fact of ['Failed', 'The account is closed.']) expect(failed.getByText(fact)).toBeDefined();
  });

  it('says when it is too late to cancel it', async () => {
    const message = 'Only pending payments can be cancelled.';
    const { user } = renderPage('/payment-gateway?tab=transactions', {
      transactions: [mockTransaction(PENDING)],
      refusals: { 'paymentGateway.cancel': { code: 'CONFLICT', reason: 'NOT_PENDING', message } },
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel NP-PENDING' }));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: message }));
  });

  it('comes by pages, and says when more cannot be had', async () => {
    const transactions = Array.from({ length: 100 }, (_, index) =>
      mockTransaction({ id: idOf(9000 - index), reference: `NP-${index}` }),
    );
    const { user, world } = renderPage('/payment-gateway?tab=transactions', { transactions });
    const list = await screen.findByRole('list', { name: 'Transactions' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(60);
    world.refusals['paymentGateway.transactions'] = BROKEN;
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect((await screen.findByRole('alert')).textContent).toBe("Couldn't load more transactions.");
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(100));
  });
});
