import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await createStage({ settings: { isSetUp: false } });
});
afterAll(() => stage.close());

test('the first admin is led through what a new server needs decided, and may skip it', async () => {
  const page = await stage.open('/api/login?mode=signup', { viewport: NARROW, theme: 'light' });
  await page.getByLabel('Email').fill('root@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: /sign up|create account|start/i }).click();
  await page.waitForURL('**/welcome');
  const steps = page.getByRole('list', { name: 'First steps' });
  await steps.getByRole('heading', { name: '1. Address' }).waitFor();
  await expectSound(page);
  await picture(page, 'welcome-narrow-light', true);
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await page.getByRole('combobox').first().click();
  await page.getByRole('option').last().click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await expectSound(page);
  await picture(page, 'welcome-mail-narrow-light', true);
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto(`${stage.origin}/`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
});

test('an admin signs in as somebody who allows it, and until they end it', async () => {
  stage.world.deps.settings.signups = 'open';
  const ada = await stage.world.as('Ada');
  await stage.world.deps.db
    .updateTable('users')
    .set({ role: 'admin' })
    .where('id', '=', ada.user.id)
    .execute();
  const bob = await stage.world.as('Bob');
  const account = await stage.open('/account', { as: bob });
  await account.getByRole('button', { name: 'Allow for 1 hour' }).click();
  await account.getByText('Nobody is signed in as you.').waitFor();
  const page = await stage.open('/admin', { as: ada });
  await page.getByRole('button', { name: `Manage ${bob.user.email}` }).click();
  await page.getByRole('button', { name: 'Sign in as them' }).click();
  await page.getByText('You are signed in as').first().waitFor();
  await expectSound(page);
  await picture(page, 'impersonation');
  await page.setViewportSize(NARROW);
  await expectSound(page);
  await picture(page, 'impersonation-narrow');
  await account.reload();
  await account.getByText(/Signed in as you:/).waitFor();
  await expectSound(account);
  await picture(account, 'sign-in-consent', true);
  await account.getByRole('button', { name: 'End now' }).click();
  await account.getByRole('button', { name: 'Allow for 1 hour' }).waitFor();
  await page.reload();
  await page
    .getByRole('button', { name: 'Log in' })
    .or(page.getByRole('link', { name: 'Log in' }))
    .first()
    .waitFor();
});
