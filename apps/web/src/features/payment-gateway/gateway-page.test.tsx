import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { BROKEN, idOf, mockBeneficiary, mockVirtualAccount, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { NO_BENEFICIARIES, NO_TRANSACTIONS, row } from './gateway-fixtures.ts';

mockApi();

const NO_ACCOUNTS = 'No virtual accounts yet. Create one to get started!';

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('the payment gateway', () => {
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
  it('says whose it is, what is available and what is held', async () => {
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

describe('the menu of an account', () => {
  async function choose(item: string, changes: Parameters<typeof mockVirtualAccount>[0]) {
    const page = renderPage('/payment-gateway', { virtualAccounts: [mockVirtualAccount(changes)] });
    await page.user.click(await screen.findByRole('button', { name: 'More actions for Engine works' }));
    await page.user.click(await screen.findByRole('menuitem', { name: item }));
    return page;
  }

  it('renames it', async () => {
    const { user } = await choose('Rename', {});
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename account' }));
    expect(dialog.getByRole('button', { name: 'Rename' })).toHaveProperty('disabled', true);
    await user.clear(dialog.getByLabelText('Account name'));
    await user.type(dialog.getByLabelText('Account name'), 'Payroll{Enter}');
    expect(await screen.findByRole('link', { name: 'Payroll' })).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Account renamed' });
  });

  it('closes an empty one once its name is typed, and lists it among the closed', async () => {
    const { user } = await choose('Close account', { balance: 0 });
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Close account?' }));
    await user.type(dialog.getByRole('textbox'), 'Engine works{Enter}');
    const closed = within(await screen.findByRole('list', { name: 'Closed accounts' }));
    expect(closed.getByText('Closed')).toBeDefined();
    expect(await screen.findByText(NO_ACCOUNTS)).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Account closed' });
    await user.click(closed.getByRole('link'));
    expect(await screen.findByRole('heading', { level: 2, name: 'Statement' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Send from Engine works' })).toBeNull();
  });

  it.each([
    [{ balance: 1999 }, 'It still holds $19.99. Send the balance to another account first.'],
    [
      { balance: 5, pending: 1999 },
      '$19.99 is still on its way to other banks. Wait for those payments to finish, or cancel them.',
    ],
  ])('says why it cannot be closed with %o', async (money, reason) => {
    const { user, world } = await choose('Close account', money);
    const dialog = within(await screen.findByRole('dialog', { name: "Engine works can't be closed yet" }));
    expect(dialog.getByText(reason)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.calls.some(({ path }) => path === 'paymentGateway.closeVirtualAccount')).toBe(false);
  });
});

describe('a new virtual account', () => {
  it.each([
    [{ code: 'FORBIDDEN', reason: 'PLAN_LIMIT_REACHED', message: 'You have 20.' } as const, 'You have 20.'],
    [
      { code: 'INTERNAL_SERVER_ERROR', reason: '', message: 'x' } as const,
      'Failed to create virtual account',
    ],
  ])('that cannot be had says why', async (refusal, sentence) => {
    const { user } = renderPage('/payment-gateway?new=1', {
      refusals: { 'paymentGateway.createVirtualAccount': refusal },
    });
    await user.type(await screen.findByLabelText('Account name'), 'Operations{Enter}');
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: sentence }));
  });
});

describe('a beneficiary', () => {
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

  it('that cannot be deleted says so', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', {
      beneficiaries: [mockBeneficiary()],
      refusals: { 'paymentGateway.removeBeneficiary': BROKEN },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete Babbage & Sons' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete beneficiary' }));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to delete beneficiary' }),
    );
  });
});
