import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type Person } from '../../api/test/world.ts';
import { createStage, expectNothingWider, expectSound, NARROW, picture, type Stage } from './stage.ts';

/** Tabs that have, together, every part that the others have. */
const INSPECTED = ['Users', 'Payments', 'Engines', 'Ledger'];
/** What a window of 1440 pixels has left at 200 %. */
const ZOOMED = { viewport: { width: 720, height: 450 }, theme: 'light' } as const;
const AN_HOUR = '2026-11-21T12:00:00.000Z';
const RESOURCE = randomUUID();

let stage: Stage;
let ada: Person;
let grace: Person;
let alan: Person;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
  grace = await stage.world.as('Grace');
  alan = await stage.world.as('Alan');
});

afterAll(() => stage.close());

/** Grace pays for a plan, Alan's card is declined, and both use something. */
async function fill() {
  const { clientSecret, paymentIntentId } = await grace.rpc.billing.startPayment.mutate({
    planTier: 'professional',
  });
  const card = { cardNumber: '4242424242424242', expiryMonth: 12, expiryYear: 2030, cvc: '123' };
  await grace.rpc.billing.confirmSandboxPayment.mutate({ clientSecret, ...card });
  await grace.rpc.billing.subscribe.mutate({ planTier: 'professional', paymentIntentId });
  await grace.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Compilers' });
  const { db } = stage.world.deps;
  const [graceId, alanId] = [grace.user.id, alan.user.id];
  const declined = { amount: 2900, paymentMethod: 'Visa ending 0002', failure: 'Your card was declined.' };
  await db
    .insertInto('payments')
    .values({
      ...declined,
      userId: alanId,
      invoiceId: 'INV-2026-900001',
      status: 'failed',
      paymentDate: null,
    })
    .execute();
  await db
    .insertInto('usageRecords')
    .values([
      record({ userId: graceId, resourceType: 'deployment', resourceId: RESOURCE, amount: 1, cost: 0.8 }),
      record({ userId: alanId, resourceType: 'egress', resourceId: null, amount: 2.5, cost: 250 }),
    ])
    .execute();
}

function record<T>(values: T) {
  return { hour: AN_HOUR, ...values };
}

function said(page: Page, words: string) {
  return page.getByText(words, { exact: true }).first().waitFor();
}

function row(page: Page, list: string, words: string) {
  return page.getByRole('table', { name: list }).getByRole('row').filter({ hasText: words });
}

function cells(page: Page, list: string, words: string) {
  return row(page, list, words).getByRole('cell').allTextContents();
}

async function shown(page: Page, tab: string) {
  await page.getByRole('tabpanel', { name: tab }).locator('table, ul').first().waitFor();
  await expect.poll(() => page.getByTestId('skeleton-row').count()).toBe(0);
}

function short(id: string) {
  return `${id.slice(0, 8)}...`;
}

test('an installation with nothing in it says so on each tab', async () => {
  const page = await stage.open('/admin', { as: ada });
  await said(page, '3 users');
  for (const [tab, words] of [
    ['Subscriptions', 'No subscriptions found'],
    ['Payments', 'No payments found'],
    ['Usage', 'No usage data found'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await said(page, words);
  }
  const ringed = () => page.evaluate(() => document.activeElement?.matches(':focus-visible'));
  expect(await ringed(), 'a ring is for the keyboard').toBe(false);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(ringed).toBe(true);
  await said(page, 'No payments found');
  await picture(page, 'admin-no-payments');
});

test('an admin sees everyone and everything', async () => {
  await fill();
  const page = await stage.open('/admin', { as: ada });
  await said(page, '3 users');
  for (const words of ['1 admin', 'of 1 total', '$99.00', '2 payments']) await said(page, words);
  expect((await cells(page, 'Users', grace.user.email)).slice(0, 3)).toEqual([
    grace.user.email,
    'Grace Tester',
    'Member',
  ]);
  await picture(page, 'admin-users');
  await expectSound(page);

  await page.getByRole('tab', { name: 'Subscriptions' }).click();
  await row(page, 'Subscriptions', 'Professional').waitFor();
  expect((await cells(page, 'Subscriptions', 'Professional')).slice(0, 4)).toEqual([
    short(grace.user.id) + grace.user.email,
    'Professional',
    'Active',
    '$99.00',
  ]);
  await picture(page, 'admin-subscriptions');

  await page.getByRole('tab', { name: 'Payments' }).click();
  await row(page, 'Payments', 'INV-2026-900001').waitFor();
  expect((await cells(page, 'Payments', 'INV-2026-900001')).slice(1)).toEqual([
    short(alan.user.id) + alan.user.email,
    '$29.00',
    'Visa ending 0002',
    'FailedYour card was declined.',
    'N/A',
  ]);
  await picture(page, 'admin-payments');
  await expectSound(page);

  await page.getByRole('tab', { name: 'Usage' }).click();
  await row(page, 'Usage', '2.5 GB').waitFor();
  expect((await cells(page, 'Usage', '2.5 GB')).slice(1)).toEqual([
    'Egress',
    'N/A',
    '2.5 GB',
    '$2.50',
    'Nov 21, 2026',
  ]);
  expect((await cells(page, 'Usage', '1 hour')).slice(2, 5)).toEqual([short(RESOURCE), '1 hour', '$0.008']);
  await picture(page, 'admin-usage');
});

test('a list is searched by address, and an id leads to its user', async () => {
  const page = await stage.open('/admin?tab=payments&q=0002', { as: ada });
  await said(page, '1 payment');
  await row(page, 'Payments', 'INV-2026-900001').getByRole('link').click();
  await said(page, '1 user');
  await row(page, 'Users', alan.user.email).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe(alan.user.id);
  await page.getByRole('searchbox').fill('nobody of this name');
  await said(page, 'No users found');
  await picture(page, 'admin-nothing-found');
  await page.getByRole('button', { name: 'Show all users' }).click();
  await said(page, '3 users');
});

test('by keyboard: a role is changed, and what that person may see with it', async () => {
  const page = await stage.open('/admin', { as: ada });
  await page.getByText("You can't change your own role.").waitFor();
  const own = page.getByRole('combobox', { name: `Role of ${ada.user.email}` });
  expect(await own.isDisabled()).toBe(true);
  const selector = page.getByRole('combobox', { name: `Role of ${grace.user.email}` });
  await selector.focus();
  await page.keyboard.press('Enter');
  // The list takes the focus a moment after it is there.
  await page.locator('[role="option"]:focus', { hasText: 'Member' }).waitFor();
  await picture(page, 'admin-role');
  await page.keyboard.press('ArrowUp');
  await page.locator('[role="option"]:focus', { hasText: 'Admin' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make Grace Tester an admin?' });
  await dialog.waitFor();
  await picture(page, 'admin-make-admin');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => selector.evaluate((element) => element === document.activeElement)).toBe(true);

  await selector.click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await dialog.getByRole('button', { name: 'Make admin' }).click();
  await said(page, 'User role updated successfully');
  await said(page, '2 admins');
  expect((await cells(page, 'Users', grace.user.email))[2]).toBe('Admin');

  const theirs = await stage.open('/', { as: grace });
  const entry = theirs.getByRole('link', { name: 'Admin Dashboard' });
  await entry.click();
  await said(theirs, '3 users');

  await selector.click();
  await page.getByRole('option', { name: 'Member' }).click();
  await said(page, '1 admin');
  await theirs.getByRole('tab', { name: 'Payments' }).click();
  await said(theirs, 'Access Denied');
  await said(theirs, 'You do not have permission to access this page.');
  expect(await theirs.getByRole('heading', { name: 'Admin Dashboard' }).count()).toBe(0);
  await picture(theirs, 'admin-denied');
  await theirs.waitForURL(`${stage.origin}/`);
  expect(await entry.count()).toBe(0);
});

test('by keyboard: someone is invited by a link, which makes their account once', async () => {
  const page = await stage.open('/admin', { as: ada });
  await page.getByRole('button', { name: 'Invite' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Invite a user' });
  await dialog.getByLabel('Email (optional)').waitFor();
  await picture(page, 'admin-invite');
  await expectSound(page);
  await page.keyboard.type('edsger@example.com');
  await page.keyboard.press('Enter');
  const link = (await dialog.locator('code').textContent()) ?? '';
  await picture(page, 'admin-invitation-link');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('list', { name: 'Open invitations' }).getByText('edsger@example.com').waitFor();
  expect(await page.getByText(link).count(), 'it is shown once').toBe(0);
  await picture(page, 'admin-invitations');

  const theirs = await stage.open(new URL(link).pathname + new URL(link).search);
  expect(await theirs.getByLabel('Email').inputValue()).toBe('edsger@example.com');
  await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Start free trial' }).click();
  await theirs.getByRole('heading', { name: 'Deployments' }).waitFor();
  await page.reload();
  await row(page, 'Users', 'edsger@example.com').waitFor();
  expect(await page.getByRole('list', { name: 'Open invitations' }).count()).toBe(0);
  await stage.world.deps.db.deleteFrom('users').where('email', '=', 'edsger@example.com').execute();
});

test('the engines and the ledger', async () => {
  const page = await stage.open('/admin?tab=engines', { as: ada });
  await page.getByRole('heading', { name: 'Deployment runtime' }).waitFor();
  await picture(page, 'admin-engines', true);
  await expectSound(page);
  await page.getByRole('tab', { name: 'Ledger' }).click();
  await said(page, 'All accounts match their entries');
  const [, accounts, , sum] = await cells(page, 'Trial balance', 'USD');
  // Three of the virtual account, two of what cards pay.
  expect([accounts, sum]).toEqual(['5', '$0.00']);
  await picture(page, 'admin-ledger');
});

test('all of it fits a window at double size, and a phone, in the light', async () => {
  await ada.rpc.admin.createInvitation.mutate({});
  const page = await stage.open('/admin', { as: ada, ...ZOOMED });
  await shown(page, 'Users');
  await picture(page, 'admin-users-zoomed-light', true);
  await expectSound(page);
  await page.setViewportSize(NARROW);
  for (const tab of ['Users', 'Subscriptions', 'Payments', 'Usage', 'Engines', 'Ledger']) {
    await page.getByRole('tab', { name: tab }).click();
    await shown(page, tab);
    await picture(page, `admin-${tab.toLowerCase()}-narrow-light`, true);
    await expectNothingWider(page);
    if (INSPECTED.includes(tab)) await expectSound(page);
  }
  await page.reload();
  const chosen = page.getByRole('tab', { name: 'Ledger' });
  await chosen.waitFor();
  const box = await chosen.boundingBox();
  expect(box && box.x + box.width, 'the chosen tab is seen').toBeLessThanOrEqual(NARROW.width);
});

test.each([
  ['admin-manage-person', {}],
  ['admin-manage-person-light-narrow', { viewport: NARROW, theme: 'light' }],
] as const)('%s: somebody is kept out, and let in again', async (name, visit) => {
  const eve = await stage.world.as(`Eve${name.length}`);
  const page = await stage.open(`/admin?q=${eve.user.email}`, { as: ada, ...visit });
  await page.getByRole('button', { name: `Manage ${eve.user.email}` }).click();
  const dialog = page.getByRole('dialog', { name: /^Manage Eve/ });
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable account' }).click();
  await dialog.getByRole('button', { name: 'Enable' }).waitFor();
  await picture(page, name);
  await expectSound(page);
  expect((await eve.rest('GET /api/auth/user')).status).toBe(401);
  await page.keyboard.press('Escape');
  await page.getByText('Disabled', { exact: true }).first().waitFor();
  await picture(page, `${name}-list`);
  await expectSound(page);
  await page.getByRole('button', { name: `Manage ${eve.user.email}` }).click();
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await dialog.getByRole('button', { name: 'Disable' }).waitFor();
});
