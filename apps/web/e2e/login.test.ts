import { picturePath } from '@nephos/contracts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PASSWORD } from '../../api/test/world.ts';
import { createStage, expectNothingWider, expectSound, NARROW, picture, type Stage } from './stage.ts';

/** A blue PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADAgH/p0v3mQAAAABJRU5ErkJggg==';

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage.close());

test('signing up works without JavaScript and leads back to where one was', async () => {
  const page = await stage.open('/api/login?mode=signup&returnTo=%2Fdns', {
    context: { javaScriptEnabled: false },
  });
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: /sign up|create account|start/i }).click();
  const password = page.getByLabel('Password', { exact: true });
  await page.getByText('Password must be at least 8 characters.').waitFor();
  expect(await password.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  await password.fill(PASSWORD);
  await page.getByRole('button', { name: /sign up|create account|start/i }).click();
  await page.waitForURL('**/dns');
});

test('a wrong password is told beside the form, and the right one goes in by keyboard alone', async () => {
  await stage.world.as('Grace');
  const page = await stage.open('/api/login');
  // The page focuses its first field once it is there.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('grace@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong password');
  await page.keyboard.press('Enter');
  await page.getByText('Incorrect email or password.').waitFor();
  await picture(page, 'login-error');
  await expectSound(page);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
});

test.each([
  { name: 'login-dark', theme: 'dark' as const },
  { name: 'login-light-narrow', theme: 'light' as const, viewport: NARROW },
])('$name is sound', async ({ name, ...visit }) => {
  const page = await stage.open('/api/login?mode=signup', visit);
  await page.getByLabel('Email').waitFor();
  await picture(page, name, true);
  await expectSound(page);
});

test.each([
  { name: 'login-closed-dark', theme: 'dark' as const },
  { name: 'login-closed-light-narrow', theme: 'light' as const, viewport: NARROW },
])('$name: who has no account is told whom to ask', async ({ name, ...visit }) => {
  const { settings } = stage.world.deps;
  settings.signups = 'invite';
  onTestFinished(() => {
    settings.signups = 'open';
  });
  const page = await stage.open('/', visit);
  await page.getByRole('link', { name: 'Start free trial' }).first().click();
  await page.getByRole('heading', { name: 'This server is invite-only' }).waitFor();
  await page.getByText('Ask an admin for an invitation.').waitFor();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
  await picture(page, name, true);
  await expectSound(page);
});

test('a picture of an identity provider shows in the console', async () => {
  const alan = await stage.world.as('Alan');
  const { db } = stage.world.deps;
  const bytes = Buffer.from(PIXEL, 'base64');
  const { id } = await db
    .insertInto('profilePictures')
    .values({ userId: alan.user.id, mediaType: 'image/png', bytes, sha256: 'of this test' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const profileImageUrl = picturePath(id);
  await db.updateTable('users').set({ profileImageUrl }).where('id', '=', alan.user.id).execute();
  const page = await stage.open('/', { as: alan });
  const shown = page.locator(`img[src="${profileImageUrl}"]`);
  await shown.first().waitFor();
  expect(await shown.evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth))).toEqual([
    1, 1,
  ]);
  await picture(page, 'profile-picture');
});

test.each([
  ['docs', {}],
  ['docs-light-narrow', { viewport: NARROW, theme: 'light' }],
] as const)(
  '%s: the documentation of the API is readable, and asks nobody but us for anything',
  async (name, visit) => {
    const page = await stage.open('/favicon.svg', visit);
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => request.url().startsWith(stage.origin) || faults.push(request.url()));
    await page.goto(`${stage.origin}/api/docs#tag/auth/POST/api/login`);
    await page.getByRole('heading', { name: 'Log in; sets the session cookie' }).waitFor();
    await picture(page, name);
    await page.getByRole('button', { name: /Test Request.*post \/api\/login\)/i }).click();
    await page.getByRole('button', { name: /^Send post request/ }).waitFor();
    await picture(page, `${name}-try`);
    await expectNothingWider(page);
    expect(faults).toEqual([]);
  },
);
