import { randomUUID } from 'node:crypto';
import { RATE_CARD, type UsageType } from '@nephos/contracts/constants';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { CARDS } from '../../api/test/billing/billing-fixtures.ts';
import type { Person } from '../../api/test/world.ts';
import { drawn, overlaps, payWith, takePhoneIntoTheLight } from './billing-actions.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const HOUR = 60 * 60 * 1000;
const PHONE_IN_THE_LIGHT = { viewport: NARROW, theme: 'light' } as const;

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

function said(page: Page, words: string) {
  return page.getByText(words, { exact: true }).first().waitFor();
}

function daysFromNow(days: number) {
  return new Date(Date.now() + days * 24 * HOUR).toISOString();
}

/** Records of one resource: every fifth hour of the last two months. */
function hoursOf(resourceType: UsageType, amount: number, { user } = ada) {
  const resourceId = resourceType === 'storage' ? null : randomUUID();
  const now = Math.floor(Date.now() / HOUR);
  return Array.from({ length: 300 }, (_, index) => ({
    ...{ userId: user.id, resourceType, resourceId, amount },
    cost: amount * RATE_CARD[resourceType].cents,
    hour: new Date((now - 5 * index - 1) * HOUR).toISOString(),
  }));
}

/** The words of a picture that its edges cut. */
function cutOff(picture: Element): (string | null)[] {
  const { left, right } = picture.getBoundingClientRect();
  const words = [...picture.querySelectorAll('text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < left || box.right > right;
  });
  return words.map(({ textContent }) => textContent);
}

test('a trial shows what it is, and sample figures, in the dark and on a phone in the light', async () => {
  const page = await stage.open('/billing', { as: ada });
  await said(page, 'Trial Active');
  await said(page, '14-Day Free Trial');
  await page.getByText(/^Ends on \w{3} \d+, \d{4}\. 14 days remaining\.$/).waitFor();
  await said(page, 'No usage records available yet');
  await drawn(page);
  expect(await page.getByText('Sample data').count()).toBe(4);
  await picture(page, 'billing-trial-dark', true);
  await expectSound(page);
  await takePhoneIntoTheLight(page);
  const usage = page.locator('svg.recharts-surface').last();
  await expect
    .poll(() => usage.getByText(/^[A-Z]/).allTextContents())
    .toEqual(['Deployments', 'Databases', 'Storage', 'Containers']);
  expect(await usage.evaluate(cutOff)).toEqual([]);
  await picture(page, 'billing-trial-narrow-light', true);
  await expectSound(page);
});

test('by keyboard: a declined card, then one that pays, and the plan is active', async () => {
  const page = await stage.open('/billing', { as: ada });
  const listening = page.waitForRequest((request) => request.url().includes('billing.changes'));
  await page.getByRole('button', { name: 'Subscribe Now' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Choose Your Plan' }).waitFor();
  await picture(page, 'billing-plans');
  await expectSound(page);
  await listening;
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Choose Starter');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Enter Payment Details - Starter Plan' });
  await dialog.getByText('Test mode: no real money moves').waitFor();
  await picture(page, 'billing-payment');
  await dialog.getByLabel('Card number').focus();
  for (const text of [CARDS.declined, '12/34', '123']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await dialog.getByLabel('Security code').press('Enter');
  await said(page, 'Payment Failed');
  await dialog.getByRole('alert').getByText('Your card was declined.').waitFor();
  await expect
    .poll(() => dialog.getByLabel('Security code').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await picture(page, 'billing-declined');
  await expectSound(page);
  await dialog.getByLabel('Card number').fill(CARDS.success);
  await page.keyboard.press('Enter');
  await said(page, 'Subscription activated successfully!');
  await said(page, 'Active');
  await page.getByText('Visa ending 4242').first().waitFor();
  await dialog.waitFor({ state: 'detached' });

  await page.reload();
  await said(page, 'Active');
  await page.getByText(/^INV-\d{4}-\d{6}$/).waitFor();
  await picture(page, 'billing-active', true);
  await expectSound(page);
  expect(await ada.rpc.billing.activeSubscription.query()).toMatchObject({
    planTier: 'starter',
    status: 'active',
    amount: 2900,
  });
  // The declined attempt was no charge.
  expect(await ada.rpc.billing.payments.query()).toMatchObject([{ amount: 29, status: 'completed' }]);
});

test('another plan, with a card whose bank asks; then it is cancelled, and resumed', async () => {
  const page = await stage.open('/billing', { as: ada, ...PHONE_IN_THE_LIGHT });
  await page.getByRole('button', { name: 'Change plan' }).click();
  await said(page, "You're charged as soon as you change plans");
  await said(page, 'Current plan');
  expect(await page.getByRole('button', { name: 'Choose Starter' }).isDisabled()).toBe(true);
  await picture(page, 'billing-change-narrow-light');
  await expectSound(page);
  await page.getByRole('button', { name: 'Choose Professional' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter Payment Details - Professional Plan' });
  await dialog.getByText(/It replaces your current plan/).waitFor();
  await dialog.getByRole('button', { name: 'Pay with card ending 4242' }).waitFor();
  await picture(page, 'billing-saved-card-narrow-light');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Use another card' }).click();
  await payWith(page, CARDS.asksOnce);
  await said(page, 'Your bank asks you to confirm this payment');
  await picture(page, 'billing-bank-narrow-light');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await said(page, 'Payment Failed');
  const confirm = dialog.getByRole('button', { name: 'Confirm Payment' });
  await confirm.scrollIntoViewIfNeeded();
  await picture(page, 'billing-declined-narrow-light');
  const toast = page.locator('[data-toast]');
  for (const part of [dialog.getByRole('heading'), dialog.getByRole('button', { name: 'Close' }), confirm]) {
    expect(await overlaps(toast, part), 'it can be read and tried again').toBe(false);
  }
  await expectSound(page);
  await payWith(page, CARDS.asksOnce);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await said(page, 'Subscription activated successfully!');
  await said(page, 'Professional');
  await said(page, '$99.00');
  await picture(page, 'billing-active-narrow-light', true);
  await expectSound(page);

  // A second window sees it at once.
  const other = await stage.open('/billing', { as: ada });
  await other.getByRole('button', { name: 'Cancel subscription' }).waitFor();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel subscription?' });
  await question.getByText(/stays active until/).waitFor();
  await question.getByRole('button', { name: 'Keep subscription' }).waitFor();
  await picture(page, 'billing-cancel-narrow-light');
  await question.getByRole('button', { name: 'Cancel subscription' }).click();
  await said(page, 'Subscription cancelled');
  await said(page, 'Cancels at period end');
  await said(other, 'Cancels at period end');
  await picture(other, 'billing-cancelled');
  await expectSound(other);
  await other.getByRole('button', { name: 'Resume' }).click();
  await said(other, 'Subscription resumed');
  await said(other, 'Renewal date');
  await page.getByRole('button', { name: 'Cancel subscription' }).waitFor();
});

test('a renewal that is not decided leaves the plan active, and says so', async () => {
  const change = (renewalDate: string) =>
    stage.world.deps.db
      .updateTable('subscriptions')
      .set({ renewalDate })
      .where('userId', '=', ada.user.id)
      .where('status', '=', 'active')
      .execute();
  // The hour in which it is charged may begin just now.
  const charge = vi
    .spyOn(stage.world.deps.domains.billing.provider, 'charge')
    .mockRejectedValue(new Error('away'));
  onTestFinished(() => charge.mockRestore());
  const page = await stage.open('/billing', { as: ada, ...PHONE_IN_THE_LIGHT });
  await said(page, 'Active');
  await change(daysFromNow(-1));
  await said(page, 'Renewal pending');
  await said(page, 'Renewal due');
  await page.getByText('Renewal not confirmed yet').waitFor();
  const title = page.getByRole('heading', { name: 'Subscription Status' });
  expect(await title.evaluate((it) => it.scrollWidth <= it.clientWidth), 'it is there whole').toBe(true);
  await picture(page, 'billing-renewing-narrow-light');
  await expectSound(page);
  await change(daysFromNow(20));
  await page.getByText('Renewal pending').waitFor({ state: 'detached' });
});

test('a renewal that failed says why, and can be paid at once', async () => {
  await stage.world.deps.db
    .updateTable('subscriptions')
    .set({
      status: 'past_due',
      failure: 'Your card has insufficient funds.',
      renewalDate: daysFromNow(-1),
      pastDueSince: daysFromNow(-1),
      nextAttempt: daysFromNow(2),
    })
    .where('userId', '=', ada.user.id)
    .where('status', '=', 'active')
    .execute();
  const page = await stage.open('/billing', { as: ada });
  await said(page, 'Past due');
  await said(page, 'Renewal was due');
  await page.getByText(/Your card has insufficient funds\. We'll try again on/).waitFor();
  await picture(page, 'billing-past-due');
  await expectSound(page);
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByRole('dialog', { name: 'Enter Payment Details - Professional Plan' }).waitFor();
  const saved = page.getByRole('button', { name: 'Pay with card ending 3155' });
  await saved.waitFor();
  await picture(page, 'billing-saved-card');
  await expectSound(page);
  await saved.click();
  await said(page, 'Subscription activated successfully!');
  await said(page, 'Active');
  expect(await ada.rpc.billing.payments.query({ limit: 1 })).toMatchObject([
    { amount: 99, paymentMethod: 'Visa ending 3155', status: 'completed' },
  ]);
});

test('measured usage takes the place of the sample', async () => {
  const databases = hoursOf('database', 10);
  await stage.world.deps.db
    .insertInto('formerResources')
    .values({ id: databases[0]?.resourceId ?? '', userId: ada.user.id, name: 'Orders' })
    .execute();
  await stage.world.deps.db
    .insertInto('usageRecords')
    .values(
      // As metering writes them: hour after hour.
      [...hoursOf('deployment', 1), ...databases, ...hoursOf('storage', 40)].sort((a, b) =>
        a.hour < b.hour ? -1 : 1,
      ),
    )
    .execute();
  const page = await stage.open('/billing', { as: ada });
  await page.getByText('Cost Trend as a table').focus();
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: 'Cost trend by month' });
  await page.getByRole('list', { name: 'Lines' }).getByText('Databases').waitFor();
  await drawn(page);
  expect(await page.getByText('Sample data').count()).toBe(0);
  await expect.poll(() => table.getByRole('row').count()).toBe(7);
  await picture(page, 'billing-history-dark', true);
  await expectSound(page);
  await takePhoneIntoTheLight(page);
  await page.getByRole('list', { name: 'Usage records' }).waitFor();
  await picture(page, 'billing-history-narrow-light', true);
  await expectSound(page);
  await page.getByRole('button', { name: 'Show more' }).click();
  const records = page.getByRole('list', { name: 'Usage records' }).getByRole('listitem');
  await expect.poll(() => records.count()).toBe(120);
});

test('at 200 % zoom everything is there, and someone else has only what is theirs', async () => {
  const grace = await stage.world.as('Grace');
  await stage.world.deps.db
    .insertInto('usageRecords')
    .values(hoursOf('storage', 0.001, grace))
    .execute();
  const page = await stage.open('/billing', { as: grace, viewport: { width: 640, height: 400 } });
  await said(page, 'Trial Active');
  await said(page, 'No payments yet');
  const axes = page.locator('.recharts-yAxis-tick-labels');
  await expect.poll(() => axes.count()).toBe(2);
  // Next to nothing is no reason to write the same figure at each line.
  for (const axis of await axes.all()) {
    const figures = await axis.locator('text').allTextContents();
    expect([...new Set(figures)]).toEqual(figures);
  }
  await page.getByRole('button', { name: 'Subscribe Now' }).click();
  await page.getByRole('button', { name: 'Choose Enterprise' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter Payment Details - Enterprise Plan' });
  await dialog.getByLabel('Card number').waitFor();
  await picture(page, 'billing-payment-zoomed');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

/** Prices, and words of what is sold. */
const SELLING = /\$\d|\bplans?\b|free trial|subscri|pricing|upgrade your/i;

test.each([{ name: 'off-dark' }, { name: 'off-light-narrow', ...PHONE_IN_THE_LIGHT }])(
  '$name: where billing is switched off, nothing is sold',
  async ({ name, ...visit }) => {
    const { settings } = stage.world.deps;
    settings.billing = false;
    onTestFinished(() => {
      settings.billing = true;
    });
    const eve = await stage.world.as(`Eve-${name}`);
    const page = await stage.open('/billing', { as: eve, ...visit });
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await said(page, 'Usage Records');
    await page.getByRole('progressbar', { name: 'Used databases' }).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(SELLING);
    await picture(page, `billing-${name}`, true);
    await expectSound(page);
    await page.goto(`${stage.origin}/marketplace`);
    await page
      .getByRole('button', { name: /^Install / })
      .first()
      .waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(SELLING);
    for (const path of ['/', '/storage', '/containers', '/databases', '/dns', '/mobile-apps', '/account']) {
      await page.goto(stage.origin + path, { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect(await page.locator('main').textContent(), path).not.toMatch(SELLING);
    }

    const visitor = await stage.open('/', visit);
    const told = visitor.waitForResponse('**/api/auth/welcome');
    await visitor.reload();
    await told;
    await visitor.getByRole('heading', { level: 1 }).waitFor();
    await visitor.getByRole('link', { name: 'Create account' }).first().waitFor();
    expect(await visitor.locator('body').textContent()).not.toMatch(SELLING);
    await picture(visitor, `landing-${name}`, true);
  },
);
