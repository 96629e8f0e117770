import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import {
  idOf,
  mockBeneficiary,
  mockTransaction,
  mockVirtualAccount,
  UNAUTHORIZED,
} from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

const NO_ACCOUNTS = 'No virtual accounts yet. Create one to get started!';
const NO_TRANSACTIONS = 'No transactions yet. Start sending or receiving payments!';
const NO_BENEFICIARIES = 'No beneficiaries yet. Add one for quick transfers!';

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

async function openStream() {
  return vi.waitFor(() => {
    const opened = FakeEventSource.of('paymentGateway.changes');
    if (!opened) throw new Error('Nobody listens');
    return opened;
  });
}

async function row(text: string) {
  const item = (await screen.findByText(text)).closest('li');
  if (!item) throw new Error(`${text} is not in a list`);
  return within(item);
}

describe('the payment gateway', () => {
  it('offers the first step on each tab while there is nothing', async () => {
    const { user } = renderPage('/payment-gateway');
    expect(await screen.findByRole('heading', { name: NO_ACCOUNTS })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Payment Gateway' })).toBeDefined();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Virtual Accounts',
      'Transactions',
      'Beneficiaries',
    ]);
    await user.click(screen.getByRole('tab', { name: 'Transactions' }));
    expect(await screen.findByRole('heading', { name: NO_TRANSACTIONS })).toBeDefined();
    await user.click(screen.getByRole('tab', { name: 'Beneficiaries' }));
    expect(await screen.findByRole('heading', { name: NO_BENEFICIARIES })).toBeDefined();
    await user.click(screen.getByRole('tab', { name: 'Virtual Accounts' }));
    await user.click(screen.getByRole('button', { name: 'Create your first account' }));
    expect(await screen.findByRole('dialog', { name: 'Create Virtual Account' })).toBeDefined();
  });

  it('keeps its tab in the address, and moves among them by the arrow keys', async () => {
    const { user, router } = renderPage('/payment-gateway?tab=transactions');
    expect(await screen.findByRole('heading', { name: NO_TRANSACTIONS })).toBeDefined();
    screen.getByRole('tab', { name: 'Transactions' }).focus();
    await user.keyboard('{ArrowRight}');
    expect(await screen.findByRole('heading', { name: NO_BENEFICIARIES })).toBeDefined();
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'beneficiaries' }));
  });

  it('shows skeletons while accounts, transactions and beneficiaries load', async () => {
    const accounts = Promise.withResolvers<void>();
    const lists = Promise.withResolvers<void>();
    const { user } = renderPage('/payment-gateway', {
      delays: {
        'paymentGateway.virtualAccounts': accounts.promise,
        'paymentGateway.transactions': lists.promise,
        'paymentGateway.beneficiaries': lists.promise,
      },
    });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    accounts.resolve();
    await screen.findByText(NO_ACCOUNTS);
    await user.click(screen.getByRole('tab', { name: 'Transactions' }));
    expect(await screen.findAllByTestId('skeleton-row')).toHaveLength(3);
    await user.click(screen.getByRole('tab', { name: 'Beneficiaries' }));
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    lists.resolve();
    expect(await screen.findByText(NO_BENEFICIARIES)).toBeDefined();
  });

  it('says why its accounts cannot be loaded, and can be tried again', async () => {
    quiet();
    const { user, world } = renderPage('/payment-gateway', {
      refusals: { 'paymentGateway.virtualAccounts': BROKEN },
    });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(NO_ACCOUNTS)).toBeDefined();
  });

  it.each([
    ['transactions', NO_TRANSACTIONS],
    ['beneficiaries', NO_BENEFICIARIES],
  ])('keeps the page while its %s cannot be loaded', async (list, empty) => {
    const { user, world } = renderPage(`/payment-gateway?tab=${list}`, {
      refusals: { [`paymentGateway.${list}`]: BROKEN },
    });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Payment Gateway' })).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(empty)).toBeDefined();
  });

  it('leads to the login page when the session is over', async () => {
    quiet();
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    renderPage('/payment-gateway', { refusals: { 'paymentGateway.virtualAccounts': UNAUTHORIZED } });
    expect(await left.promise).toBe('/api/login?returnTo=%2Fpayment-gateway');
  });
});

describe('an account card', () => {
  it('says everything that the specification asks for, and what is held', async () => {
    const { user } = renderPage('/payment-gateway', {
      virtualAccounts: [
        mockVirtualAccount({ balance: 123_456_789, pending: 1999 }),
        mockVirtualAccount({ id: idOf(1102), accountName: 'Reserve', holdsTestFunds: false }),
      ],
    });
    const link = await screen.findByRole('link', { name: 'Engine works' });
    expect(link.getAttribute('href')).toBe(`/payment-gateway/accounts/${idOf(1101)}`);
    const card = await row('Engine works');
    for (const fact of ['Virtual Bank', '0123456789', '$1,234,567.89', '$19.99', 'Test funds'])
      expect(card.getByText(fact)).toBeDefined();
    expect(card.getByRole('button', { name: 'Send from Engine works' }).textContent).toBe('Send');
    expect(card.getByRole('button', { name: 'Receive into Engine works' }).textContent).toBe('Receive');
    expect((await row('Reserve')).queryByText('Test funds')).toBeNull();
    await user.click(card.getByRole('button', { name: 'Copy the account number of Engine works' }));
    expect(await navigator.clipboard.readText()).toBe('0123456789');
  });

  it('is found in the command palette, by its number too', async () => {
    const { user, router } = renderPage('/payment-gateway', { virtualAccounts: [mockVirtualAccount()] });
    await screen.findByRole('link', { name: 'Engine works' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByPlaceholderText(/^Type a page/), '01234567');
    await user.click(await screen.findByRole('option', { name: 'Engine works' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe(`/payment-gateway/accounts/${idOf(1101)}`),
    );
  });
});

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

  it('says everything that the specification asks for', async () => {
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

  it('is cancelled while it is pending', async () => {
    const { user, world } = renderPage('/payment-gateway?tab=transactions', {
      transactions: [mockTransaction(PENDING)],
    });
    const pending = await row('Ref: NP-PENDING');
    expect(pending.getByText('Pending')).toBeDefined();
    await user.click(pending.getByRole('button', { name: 'Cancel NP-PENDING' }));
    expect(await pending.findByText('Cancelled')).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Payment cancelled' });
    expect(world.calls).toContainEqual({ path: 'paymentGateway.cancel', input: { id: PENDING.id } });
    expect(pending.queryByRole('button')).toBeNull();
  });

  it('says when it is too late to cancel it', async () => {
    const message = 'Only a payment that is pending can be cancelled.';
    const { user } = renderPage('/payment-gateway?tab=transactions', {
      transactions: [mockTransaction(PENDING)],
      refusals: { 'paymentGateway.cancel': { code: 'CONFLICT', reason: 'NOT_PENDING', message } },
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel NP-PENDING' }));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: message }));
  });

  it('is watched live until it settled, and the balance with it', async () => {
    const held = mockVirtualAccount({ balance: 100, pending: 1999 });
    const { world, user } = renderPage('/payment-gateway?tab=transactions', {
      virtualAccounts: [held],
      transactions: [mockTransaction(PENDING)],
    });
    await row('Ref: NP-PENDING');
    const stream = await openStream();
    act(() => stream.connect());
    for (const status of ['processing', 'completed'] as const) {
      world.transactions = [mockTransaction({ ...PENDING, status })];
      act(() => stream.send(status, { virtualAccountId: held.id }));
      const label = status === 'processing' ? 'Processing' : 'Completed';
      expect(await (await row('Ref: NP-PENDING')).findByText(label)).toBeDefined();
    }
    world.virtualAccounts = [{ ...held, pending: 0 }];
    act(() => stream.send('3', { virtualAccountId: held.id }));
    await user.click(screen.getByRole('tab', { name: 'Virtual Accounts' }));
    expect(await screen.findByText('$0.00')).toBeDefined();
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
    expect((await screen.findByRole('alert')).textContent).toBe('More transactions could not be loaded.');
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(100));
  });
});

describe('a beneficiary', () => {
  it('is added, with its code in capitals', async () => {
    const { user, world } = renderPage('/payment-gateway?tab=beneficiaries');
    await screen.findByText(NO_BENEFICIARIES);
    await user.click(screen.getByRole('button', { name: 'Add Beneficiary' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Beneficiary' }));
    const add = dialog.getByRole('button', { name: 'Add' });
    await user.type(dialog.getByLabelText('Account name'), 'Babbage & Sons');
    await user.type(dialog.getByLabelText('Account number'), 'GB-33-0001');
    expect(add).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Bank name'), 'Bank of London');
    await user.type(dialog.getByLabelText('Bank code'), 'bofl-1{Enter}');
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Beneficiary added successfully!' }));
    expect(await screen.findByText('BOFL-1')).toBeDefined();
    expect(world.calls).toContainEqual({
      path: 'paymentGateway.createBeneficiary',
      input: {
        accountName: 'Babbage & Sons',
        accountNumber: 'GB-33-0001',
        bankName: 'Bank of London',
        bankCode: 'BOFL-1',
      },
    });
  });

  it('that cannot be added says so, with the reason in the dialog', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', {
      refusals: {
        'paymentGateway.createBeneficiary': { code: 'CONFLICT', reason: 'EXISTS', message: 'You have it.' },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Add Beneficiary' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Beneficiary' }));
    for (const label of ['Account name', 'Account number', 'Bank name'])
      await user.type(dialog.getByLabelText(label), 'Babbage');
    await user.keyboard('{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('You have it.');
    expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to add beneficiary' });
  });

  it('is deleted once its name was typed', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', { beneficiaries: [mockBeneficiary()] });
    const button = await screen.findByRole('button', { name: 'Delete Babbage & Sons' });
    expect(button.textContent).toBe('Delete');
    await user.click(button);
    const dialog = within(await screen.findByRole('alertdialog'));
    const confirm = dialog.getByRole('button', { name: 'Delete beneficiary' });
    expect(confirm).toHaveProperty('disabled', true);
    await user.type(dialog.getByRole('textbox'), 'Babbage & Sons');
    await user.click(confirm);
    expect(await screen.findByText(NO_BENEFICIARIES)).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Beneficiary deleted successfully!' });
  });

  it('that cannot be deleted says so', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', {
      beneficiaries: [mockBeneficiary()],
      refusals: { 'paymentGateway.removeBeneficiary': BROKEN },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete Babbage & Sons' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.type(dialog.getByRole('textbox'), 'Babbage & Sons{Enter}');
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to delete beneficiary' }),
    );
  });
});
