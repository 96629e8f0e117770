import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { account, card, fill, gatedRail, openSend, pay, row, said } from './gateway-actions.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

/** Seconds. */
const AN_HOUR = 3600;
const PHONE_IN_THE_LIGHT = { viewport: NARROW, theme: 'light' } as const;

const rail = gatedRail();
let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage({ overrides: { rail } });
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

test('by keyboard: from the palette to an account with money in it', async () => {
  const page = await stage.open('/payment-gateway', { as: ada });
  await said(page, 'No virtual accounts yet. Create one to get started!');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^Type a page/).waitFor();
  await page.keyboard.type('Create Virtual Account');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create Virtual Account' });
  await expect
    .poll(() => dialog.getByLabel('Account name').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await page.keyboard.type('Engine works');
  await picture(page, 'payment-gateway-new');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await said(page, 'Virtual account created successfully!');
  await card(page, 'Engine works').getByText('$0.00').first().waitFor();

  await page.getByRole('button', { name: 'Receive into Engine works' }).focus();
  await page.keyboard.press('Enter');
  const receive = page.getByRole('dialog', { name: 'Receive payment' });
  await receive.getByText('Test money only').waitFor();
  await page.keyboard.type('1250.509');
  for (const text of ['GB-33-0001', 'Babbage & Sons', 'Bank of London', 'First instalment']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await picture(page, 'payment-gateway-receive');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await said(page, 'Payment received successfully!');
  await card(page, 'Engine works').getByText('$1,250.50').waitFor();
  await card(page, 'Engine works').getByText('Test funds').waitFor();
  expect((await account(ada, 'Engine works')).balance).toBe(125_050);
});

test('money sent between two accounts is there at once, to the cent', async () => {
  await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Savings' });
  const page = await stage.open('/payment-gateway', { as: ada });
  const dialog = await openSend(page, 'Engine works');
  await dialog.getByLabel('Amount (USD)').fill('19.999');
  await dialog.getByRole('combobox', { name: 'Beneficiary' }).click();
  await page.getByRole('option', { name: 'Savings · Your account' }).waitFor();
  await picture(page, 'payment-gateway-beneficiary');
  await expectSound(page);
  await page.keyboard.type('savings');
  await page.keyboard.press('Enter');
  await dialog.getByText('$1,230.51 will be left.').waitFor();
  await dialog.getByText('Rounded down to whole cents from 19.999.').waitFor();
  await picture(page, 'payment-gateway-send');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Send payment' }).dblclick();
  await said(page, 'Payment sent successfully!');
  await card(page, 'Engine works').getByText('$1,230.51').waitFor();
  await card(page, 'Savings').getByText('$19.99').waitFor();
  await page.getByRole('tab', { name: 'Transactions' }).click();
  await row(page, 'To: Savings (Virtual Bank)').getByText('-$19.99').waitFor();
  await row(page, 'From: Engine works (Virtual Bank)').getByText('+$19.99').waitFor();
  expect(await page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').count()).toBe(3);
});

test('a beneficiary fills the form, and a payment outside is watched until it settled', async () => {
  const page = await stage.open('/payment-gateway?tab=beneficiaries', { as: ada });
  await page.getByRole('button', { name: 'Add Beneficiary' }).click();
  const add = page.getByRole('dialog', { name: 'Add Beneficiary' });
  await add.getByLabel('Account name').fill('Babbage & Sons');
  await add.getByLabel('Account number').fill('GB-33-0001');
  await add.getByLabel('Bank name').fill('Bank of London');
  await add.getByLabel('Bank code').fill('bofl');
  await picture(page, 'payment-gateway-add-beneficiary');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await said(page, 'Beneficiary added successfully!');
  await card(page, 'Babbage & Sons').getByText('BOFL').waitFor();
  await picture(page, 'payment-gateway-beneficiaries');
  await expectSound(page);

  await page.getByRole('button', { name: 'Send to Babbage & Sons' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send payment' });
  await dialog.getByRole('combobox', { name: 'From' }).click();
  await page.getByRole('option', { name: /^Engine works/ }).click();
  expect(await dialog.getByLabel('Receiver account number').inputValue()).toBe('GB-33-0001');
  await dialog.getByLabel('Amount (USD)').fill('200');
  await dialog.getByLabel('Description').fill('Brass fittings');
  await dialog.getByLabel('Amount (USD)').press('Enter');
  await said(page, 'Payment sent successfully!');

  await page.getByRole('tab', { name: 'Virtual Accounts' }).click();
  await pay(page, 'Engine works', { amount: '5.55', number: 'account-closed-0001', name: 'Nobody' });
  await card(page, 'Engine works').getByText('$205.55').waitFor();
  rail.pickUpAfter = AN_HOUR;
  await pay(page, 'Engine works', { amount: '0.29', number: 'GB-33-0002', name: 'Wrong number' });
  await card(page, 'Engine works').getByText('$205.84').waitFor();
  await page.getByRole('tab', { name: 'Transactions' }).click();
  for (const text of ['Brass fittings', 'Nobody']) await row(page, text).getByText('Processing').waitFor();
  await row(page, 'Wrong number').getByText('Pending').waitFor();
  await picture(page, 'payment-gateway-pending');
  await expectSound(page);
  await row(page, 'Wrong number').getByRole('button', { name: 'Cancel' }).click();
  await said(page, 'Payment cancelled');
  await row(page, 'Wrong number').getByText('Cancelled').waitFor();

  rail.gate.resolve();
  await row(page, 'Brass fittings').getByText('Completed').waitFor();
  await row(page, 'Nobody').getByText('Failed').waitFor();
  await row(page, 'Nobody').getByText('The account is closed.').waitFor();
  await picture(page, 'payment-gateway-transactions', true);
  await expectSound(page);
  await page.getByRole('tab', { name: 'Virtual Accounts' }).click();
  await card(page, 'Engine works').getByText('$1,030.51').waitFor();
  await card(page, 'Engine works').getByText('$0.00').waitFor();
  await picture(page, 'payment-gateway-accounts');
  await expectSound(page);
});

test('what the server refuses is said, and a lost answer never pays twice', async () => {
  const page = await stage.open('/payment-gateway', { as: ada });
  await pay(page, 'Savings', {
    amount: '20',
    number: '123',
    name: 'Engine works',
    bank: 'Virtual Bank',
  });
  const dialog = page.getByRole('dialog', { name: 'Send payment' });
  await dialog.getByText('Account number must be 4 to 34 letters, digits or hyphens.').waitFor();
  await dialog.getByText("You're $0.01 short.").waitFor();
  await dialog.getByLabel('Receiver account number').fill('GB-33-0001');
  await dialog.getByRole('button', { name: 'Send payment' }).click();
  await dialog.getByRole('alert').getByText('Insufficient funds.').waitFor();
  await picture(page, 'payment-gateway-refused');
  await expectSound(page);

  await dialog.getByLabel('Amount (USD)').fill('1.15');
  const { accountNumber } = await account(ada, 'Engine works');
  await dialog.getByLabel('Receiver account number').fill(accountNumber);
  await page.route('**/trpc/paymentGateway.send', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Send payment' }).click();
  await dialog.getByText("We don't know if this payment went through").waitFor();
  await picture(page, 'payment-gateway-lost-answer');
  await expectSound(page);
  await page.unroute('**/trpc/paymentGateway.send');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await said(page, 'Payment sent successfully!');
  await card(page, 'Savings').getByText('$18.84').waitFor();
  expect((await account(ada, 'Savings')).balance).toBe(1884);
});

test('the page of an account has a statement to search, and to save by the month', async () => {
  const page = await stage.open('/payment-gateway', { as: ada });
  await page.getByRole('link', { name: 'Engine works' }).click();
  await page.getByRole('heading', { level: 1, name: 'Engine works' }).waitFor();
  const table = page.getByRole('table', { name: 'Statement' });
  await table.getByText('+$1.15').waitFor();
  await picture(page, 'payment-gateway-account', true);
  await expectSound(page);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download CSV/ }).click();
  const download = await saving;
  const { id, accountNumber } = await account(ada, 'Engine works');
  const month = new Date().toISOString().slice(0, 7);
  expect(download.suggestedFilename()).toBe(`statement-${accountNumber}-${month}.csv`);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  const { lines: shown } = await ada.rpc.paymentGateway.statement.query({ id });
  expect(lines).toHaveLength(shown.length + 1);
  expect(lines[1]).toMatch(/,1\.15,1031\.66,USD$/);
  expect(lines.at(-1)).toMatch(/,First instalment,Babbage & Sons,1250\.50,1250\.50,USD$/);

  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Returned' }).click();
  await expect.poll(() => table.getByRole('row').count()).toBe(3);
  await page.getByRole('searchbox', { name: 'Search the statement' }).fill('nobody');
  await expect.poll(() => table.getByRole('row').count()).toBe(2);
  await page.waitForURL(/kind=returned&q=nobody|q=nobody&kind=returned/);
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => table.getByRole('row').count()).toBe(shown.length + 1);

  const narrow = await stage.open(new URL(page.url()).pathname, { as: ada, ...PHONE_IN_THE_LIGHT });
  await narrow.getByRole('list', { name: 'Statement' }).getByText('+$1.15').waitFor();
  await picture(narrow, 'payment-gateway-account-narrow-light', true);
  await expectSound(narrow);
});

test('an account is renamed, closed once it is empty, and stays to be read', async () => {
  await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Petty cash' });
  const page = await stage.open('/payment-gateway', { as: ada });
  const choose = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Petty cash', 'Rename');
  const renaming = page.getByRole('dialog', { name: 'Rename account' });
  await renaming.getByLabel('Account name').fill('Coffee');
  await picture(page, 'payment-gateway-rename');
  await page.keyboard.press('Enter');
  await said(page, 'Account renamed');
  await choose('Savings', 'Close account');
  await page.getByText('It still holds $18.84. Send the balance to another account first.').waitFor();
  await picture(page, 'payment-gateway-not-empty');
  await expectSound(page);
  await page.getByRole('button', { name: 'OK' }).click();
  await choose('Coffee', 'Close account');
  await page.getByRole('alertdialog', { name: 'Close account?' }).getByRole('textbox').fill('Coffee');
  await picture(page, 'payment-gateway-close');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await said(page, 'Account closed');
  const closed = page.getByRole('list', { name: 'Closed accounts' });
  await closed.getByRole('link', { name: 'Coffee' }).waitFor();
  await picture(page, 'payment-gateway-closed', true);
  await expectSound(page);
  await closed.getByRole('link', { name: 'Coffee' }).click();
  await said(page, 'No payments yet');
  await picture(page, 'payment-gateway-closed-account');
  await expectSound(page);
});

test('all of it fits a phone, in the light, and a deleted beneficiary is gone', async () => {
  const page = await stage.open('/payment-gateway', { as: ada, ...PHONE_IN_THE_LIGHT });
  await card(page, 'Engine works').waitFor();
  await picture(page, 'payment-gateway-accounts-narrow-light', true);
  await expectSound(page);
  await openSend(page, 'Engine works');
  await fill(page, 'Receiver', { amount: '1000', number: 'BANK-REFUSED-0004', name: 'Somebody' });
  await picture(page, 'payment-gateway-send-narrow-light');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: 'Transactions' }).click();
  await row(page, 'Brass fittings').waitFor();
  await picture(page, 'payment-gateway-transactions-narrow-light', true);
  await expectSound(page);
  await page.getByRole('tab', { name: 'Beneficiaries' }).click();
  await page.getByRole('button', { name: 'Delete Babbage & Sons' }).click();
  await picture(page, 'payment-gateway-delete-narrow-light');
  await expectSound(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete beneficiary' }).click();
  await said(page, 'Beneficiary deleted successfully!');
  await said(page, 'No beneficiaries yet. Add one for quick transfers!');
});
