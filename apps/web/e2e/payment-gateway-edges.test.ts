import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { openSend, rightOf, said } from './gateway-actions.ts';
import { createStage, expectNothingWider, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

test('an empty account is shown the first steps, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'payment-gateway-empty-dark' },
    { name: 'payment-gateway-empty-light', theme: 'light' as const },
    { name: 'payment-gateway-empty-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/payment-gateway', { as: ada, ...visit });
    await said(page, 'No virtual accounts yet. Create one to get started!');
    await picture(page, visit.name);
    await expectSound(page);
  }
  const page = await stage.open('/payment-gateway?tab=transactions', { as: ada });
  await said(page, 'No transactions yet. Start sending or receiving payments!');
  await expectSound(page);
  await page.getByRole('tab', { name: 'Transactions' }).focus();
  await page.keyboard.press('ArrowRight');
  await said(page, 'No beneficiaries yet. Add one for quick transfers!');
  await page.waitForURL(/tab=beneficiaries/);
  await picture(page, 'payment-gateway-no-beneficiaries');
  await expectSound(page);
  await page.getByRole('tab', { name: 'Virtual Accounts' }).click();
  await page.getByRole('button', { name: 'Create your first account' }).click();
  await page.getByRole('dialog', { name: 'Create Virtual Account' }).waitFor();
});

test('the longest names fit a phone, and so does a list of them', async () => {
  const longest = { accountName: 'W'.repeat(100), bankName: 'M'.repeat(100) };
  const { id } = await ada.rpc.paymentGateway.createVirtualAccount.mutate(longest);
  const page = await stage.open(`/payment-gateway/accounts/${id}`, { as: ada, viewport: NARROW });
  await page.getByRole('list', { name: 'About the account' }).getByText(longest.bankName).waitFor();
  await expectNothingWider(page);
  const dialog = await openSend(page, longest.accountName);
  const from = dialog.getByRole('combobox', { name: 'From' });
  const dialogEnds = await rightOf(dialog);
  expect(await rightOf(from)).toBeLessThan(dialogEnds);
  await from.click();
  const list = page.getByRole('listbox');
  await list.getByRole('option', { name: longest.accountName }).waitFor();
  await picture(page, 'payment-gateway-longest-narrow');
  expect(await rightOf(list)).toBeLessThanOrEqual(NARROW.width);
});
