import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage.close());

test('a visitor sees what the product is, and every way leads to login', async () => {
  const page = await stage.open('/');
  for (const text of [
    '99.99%',
    'under 100ms',
    '10K+',
    '50+',
    'SOC 2 Type II',
    'ISO 27001',
    'GDPR',
    'HIPAA Ready',
  ]) {
    await page.getByText(text, { exact: false }).first().waitFor();
  }
  for (const text of [
    '$49',
    '$149',
    'Most Popular',
    'Enterprise',
    '10 projects',
    '1TB storage',
    'no credit card',
  ]) {
    await page
      .getByText(new RegExp(text.replace('$', '\\$'), 'i'))
      .first()
      .waitFor();
  }
  const targets = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(targets.length).toBeGreaterThan(10);
  expect([...new Set(targets.filter((href) => !href?.startsWith('#')))]).toEqual([
    '/api/login',
    '/api/login?mode=signup',
  ]);
  await page.getByRole('link', { name: 'Start free trial' }).first().click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Log in' }).first().click();
  await page.getByRole('heading', { name: 'Log in to Nephos' }).waitFor();
});

test.each([
  { name: 'landing-dark-wide', viewport: WIDE, theme: 'dark' as const },
  { name: 'landing-light-wide', viewport: WIDE, theme: 'light' as const },
  { name: 'landing-dark-narrow', viewport: NARROW, theme: 'dark' as const },
  { name: 'landing-light-narrow', viewport: NARROW, theme: 'light' as const },
])('$name is sound', async ({ name, ...visit }) => {
  const page = await stage.open('/', visit);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('$149').waitFor();
  expect(await page.evaluate(() => document.documentElement.classList.contains('light'))).toBe(
    visit.theme === 'light',
  );
  await picture(page, name, true);
  await expectSound(page);
});

test('the theme is chosen once and kept', async () => {
  const page = await stage.open('/');
  await page
    .getByRole('button', { name: /theme|light/i })
    .first()
    .click();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
  await page.reload();
  expect(await page.evaluate(() => document.documentElement.classList.contains('light'))).toBe(true);
});

test('a console page without a session is not found, says so, and goes to login with the way back', async () => {
  const page = await stage.open('/', { context: {} });
  const texts = [
    '404 Page Not Found',
    'Did you forget to add the page to the router?',
    'You are logged out. Logging in again...',
  ];
  // The page is left half a second after it is shown, so it notes itself what it showed.
  const shown = new Set<string>();
  await page.exposeFunction('noteShown', (text: string) => shown.add(text));
  await page.addInitScript((wanted) => {
    const note = (window as unknown as { noteShown: (text: string) => void }).noteShown;
    new MutationObserver(() => {
      for (const text of wanted) if (document.body?.textContent.includes(text)) note(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, texts);
  // A busy machine takes longer than that to fetch what shows the last of them: the way out is shut until then.
  const seen = Promise.withResolvers<void>();
  await page.route('**/api/login?*', (route) => seen.promise.then(() => route.continue()));
  await page.goto(`${stage.origin}/dns`, { waitUntil: 'commit' });
  await expect.poll(() => [...shown].sort()).toEqual(texts.toSorted());
  seen.resolve();
  await page.waitForURL('**/api/login?returnTo=%2Fdns');
});

test('an unknown path is not found and stays', async () => {
  const page = await stage.open('/nowhere');
  await page.getByText('404 Page Not Found').waitFor();
  await picture(page, 'not-found');
  await expectSound(page);
  await page.waitForTimeout(800);
  expect(new URL(page.url()).pathname).toBe('/nowhere');
});
