import type { Locator, Page } from 'playwright-core';
import { createSandboxRail } from '../../api/src/domains/payment-gateway/sandbox-rail.ts';
import type { Person } from '../../api/test/world.ts';

const SANDBOX = createSandboxRail({ pickUpAfter: 0, settlesAfter: 0 });

/** The sandbox, which takes up and settles payments when the test says so. */
export function gatedRail() {
  const rail = {
    ...SANDBOX,
    pickUpAfter: 0,
    gate: Promise.withResolvers<void>(),
    async submit(...payment: Parameters<typeof SANDBOX.submit>) {
      await rail.gate.promise;
      return SANDBOX.submit(...payment);
    },
  };
  return rail;
}

export function card(page: Page, name: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

export function row(page: Page, text: string) {
  return page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').filter({ hasText: text });
}

export function said(page: Page, words: string) {
  return page.getByText(words, { exact: true }).first().waitFor();
}

export async function account({ rpc }: Person, name: string) {
  const found = (await rpc.paymentGateway.virtualAccounts.query()).find(
    ({ accountName }) => accountName === name,
  );
  if (!found) throw new Error(`There is no ${name}`);
  return found;
}

export async function openSend(page: Page, from: string) {
  await page.getByRole('button', { name: `Send from ${from}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Send payment' });
  await dialog.waitFor();
  return dialog;
}

interface Payment {
  amount: string;
  number: string;
  name: string;
  bank?: string;
  description?: string;
}

export async function fill(page: Page, end: 'Sender' | 'Receiver', payment: Payment) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (USD)').fill(payment.amount);
  await dialog.getByLabel(`${end} account number`).fill(payment.number);
  await dialog.getByLabel(`${end} account name`).fill(payment.name);
  await dialog.getByLabel(`${end} bank name`).fill(payment.bank ?? 'Bank of London');
  await dialog.getByLabel('Description').fill(payment.description ?? '');
}

export async function pay(page: Page, from: string, payment: Payment) {
  const dialog = await openSend(page, from);
  await fill(page, 'Receiver', payment);
  // On a busy machine, what comes late to the form can move its button away below a click.
  await dialog.getByLabel('Amount (USD)').press('Enter');
}

/** Where it ends, in pixels from the left of the window. */
export async function rightOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('it is not shown');
  return box.x + box.width;
}
