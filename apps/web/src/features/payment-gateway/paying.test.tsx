import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { idOf, type MockWorld, mockBeneficiary, mockVirtualAccount } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const ACCOUNT = mockVirtualAccount();
const INSUFFICIENT = {
  code: 'UNPROCESSABLE_CONTENT',
  reason: 'INSUFFICIENT_FUNDS',
  message: 'Insufficient funds.',
} as const;
const LOST = { code: 'INTERNAL_SERVER_ERROR', reason: 'UNAVAILABLE', message: 'Try again later.' } as const;

type Payment = 'Send' | 'Receive';

async function open(payment: Payment, state: Partial<MockWorld> = {}) {
  const page = renderPage('/payment-gateway', { virtualAccounts: [ACCOUNT], ...state });
  await page.user.click(
    await screen.findByRole('button', { name: new RegExp(`^${payment} .* Engine works`) }),
  );
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: `${payment} payment` })) };
}

type Dialog = Awaited<ReturnType<typeof open>>['dialog'];

async function fill(user: UserEvent, dialog: Dialog, { end = 'Receiver', amount = '19.99' } = {}) {
  await user.type(dialog.getByLabelText('Amount (USD)'), amount);
  await user.type(dialog.getByLabelText(`${end} account number`), 'GB-33-0001');
  await user.type(dialog.getByLabelText(`${end} account name`), 'Babbage & Sons');
  await user.type(dialog.getByLabelText(`${end} bank name`), 'Bank of London');
}

function calls(world: MockWorld, path: string) {
  return world.calls.filter((call) => call.path === `paymentGateway.${path}`).map(({ input }) => input);
}

/** The `Idempotency-Key` of each send from here on. */
function watchKeys(): (string | null)[] {
  const keys: (string | null)[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (String(input).includes('paymentGateway.send'))
      keys.push(new Headers(init?.headers).get('idempotency-key'));
    return real(input, init);
  });
  return keys;
}

describe('sending', () => {
  it('refuses what no payment can move before it asks the server', async () => {
    const { user, world, dialog } = await open('Send');
    await fill(user, dialog, { amount: '0' });
    await user.keyboard('{Enter}');
    const alert = await dialog.findByRole('alert');
    expect(alert.textContent).toBe('Enter an amount from $0.01 to $999,999,999.99.');
    expect(calls(world, 'send')).toEqual([]);
  });

  it('says while the amount is typed how much is missing', async () => {
    const { user, dialog } = await open('Send');
    const amount = dialog.getByLabelText('Amount (USD)');
    await user.type(amount, '1250');
    expect(dialog.getByText('Available: $1,250.00')).toBeDefined();
    expect(dialog.queryByText(/short/)).toBeNull();
    await user.type(amount, '.01');
    expect(dialog.getByRole('status').textContent).toBe(". You're $0.01 short.");
    expect(amount.getAttribute('aria-describedby')).toBe(dialog.getByRole('status').parentElement?.id);
  });

  it('offers the numbers that the sandbox fails', async () => {
    const { user, dialog } = await open('Send', {
      rail: {
        sandbox: true,
        hint: 'Sandbox: test money.',
        failures: [{ accountNumber: 'ACCOUNT-CLOSED-0001', failure: 'The account is closed.' }],
      },
    });
    await user.click(await dialog.findByText(/^Sandbox: account numbers/));
    expect(dialog.getByText('The account is closed.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Use ACCOUNT-CLOSED-0001' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Receiver account number').value).toBe(
      'ACCOUNT-CLOSED-0001',
    );
  });

  it('pays once, however often it is clicked', async () => {
    const answer = Promise.withResolvers<void>();
    const { user, world, dialog } = await open('Send', { delays: { 'paymentGateway.send': answer.promise } });
    await fill(user, dialog);
    const button = dialog.getByRole('button', { name: 'Send payment' });
    const form = button.closest('form');
    // As fast as a finger cannot: before anything is drawn anew.
    form?.requestSubmit();
    form?.requestSubmit();
    await user.click(button);
    answer.resolve();
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Payment sent successfully!' }));
    expect(calls(world, 'send')).toHaveLength(1);
  });

  it('repeats with the same key, and nothing else, after an answer that says nothing', async () => {
    const keys = watchKeys();
    const { user, world, dialog } = await open('Send', { refusals: { 'paymentGateway.send': LOST } });
    await fill(user, dialog);
    await user.keyboard('{Enter}');
    expect(await dialog.findByText("We don't know if this payment went through")).toBeDefined();
    expect(dialog.queryByRole('region', { name: 'Summary' })).toBeNull();
    expect(dialog.getByLabelText('Amount (USD)').closest('fieldset')).toHaveProperty('disabled', true);
    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Payment sent successfully!' }));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
  });

  it('starts anew at each opening', async () => {
    const { user, dialog } = await open('Send');
    await user.type(dialog.getByLabelText('Amount (USD)'), '5');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Send from Engine works' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Amount (USD)')).value).toBe('');
  });
});

describe('the receiver', () => {
  const MANY = Array.from({ length: 1000 }, (_, index) =>
    mockBeneficiary({
      id: idOf(5000 + index),
      accountName: `Supplier ${index}`,
      accountNumber: `GB-${index}`,
    }),
  );

  it('is found among a thousand beneficiaries, of which few are drawn', async () => {
    const { user, dialog } = await open('Send', { beneficiaries: MANY });
    await user.click(await dialog.findByRole('combobox', { name: 'Beneficiary' }));
    expect(await screen.findAllByRole('option')).toHaveLength(50);
    expect(screen.getByText('50 of 1,000 shown. Search to find the others.')).toBeDefined();
    await user.keyboard('gb-987');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    expect(dialog.getByLabelText<HTMLInputElement>('Receiver account number').value).toBe('GB-987');
    expect(dialog.getByRole('combobox', { name: 'Beneficiary' }).textContent).toMatch(/^Supplier 987/);
  });
});

describe('receiving', () => {
  it('that fails says so, with the reason in the dialog', async () => {
    const { user, dialog } = await open('Receive', {
      refusals: { 'paymentGateway.receive': { ...INSUFFICIENT, message: 'It cannot hold that much.' } },
    });
    await fill(user, dialog, { end: 'Sender' });
    await user.keyboard('{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('It cannot hold that much.');
    expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to receive payment' });
  });

  it('is not for a real rail, and says so', async () => {
    const { user, dialog } = await open('Receive', { rail: { sandbox: false, hint: 'SEPA', failures: [] } });
    expect(await dialog.findByText("Payments can't be received here")).toBeDefined();
    await fill(user, dialog, { end: 'Sender' });
    expect(dialog.getByRole('button', { name: /^Receive/ })).toHaveProperty('disabled', true);
  });
});
