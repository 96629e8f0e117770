import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { createStage, type Stage } from './stage.ts';

const MOST_REQUESTS = 40;
/** Bytes of JavaScript, after gzip. */
const BUDGETS = { landing: 120_000, page: 208_000, pageWithSelect: 221_000 };

let stage: Stage;
let admin: Person;

beforeAll(async () => {
  stage = await createStage();
  admin = await stage.world.as('Ada');
});

afterAll(() => stage.close());

/** What a browser that was never here asks for until the page is quiet. The charts come when the page is there. */
async function firstLoad(path: string, as?: Person) {
  const page = await stage.open('/favicon.svg', { ...(as && { as }), context: {} });
  const requests: string[] = [];
  const scripts: Promise<number>[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('response', (response) => {
    const isScript = response.headers()['content-type']?.includes('javascript');
    if (isScript && !response.url().includes('/charts-')) scripts.push(packedSize(response));
  });
  await page.goto(stage.origin + path, { waitUntil: 'networkidle' });
  const sizes = await Promise.all(scripts);
  return { page, requests, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function packedSize(response: Response): Promise<number> {
  return gzipSync(await response.body()).length;
}

test('a page of the console needs few requests and little JavaScript', async () => {
  const one = await admin.rest('POST /api/projects', { body: { name: 'one' } });
  const { id } = one.body as { id: string };
  const withSelect = ['/marketplace', '/admin'];
  for (const path of ['/', '/storage', '/payment-gateway', '/billing', `/projects/${id}`, ...withSelect]) {
    const { page, requests, bytes } = await firstLoad(path, admin);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(bytes, path).toBeGreaterThan(0);
    expect(bytes, path).toBeLessThanOrEqual(
      withSelect.includes(path) ? BUDGETS.pageWithSelect : BUDGETS.page,
    );
    await page.context().close();
  }
});

test('the landing page loads nothing of the console, and the login page has its own styles', async () => {
  const styles = await fetch(`${stage.origin}/login.css`);
  expect([styles.status, styles.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  const { requests, bytes } = await firstLoad('/');
  expect(requests.filter((url) => url.includes('/console-'))).toEqual([]);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(BUDGETS.landing);
});

describe('a page of the console, whatever the clock says', () => {
  const empty = (page: Page) => page.getByText('No DNS records yet').isVisible();
  const isMissing = (page: Page) => page.getByText('404 Page Not Found').isVisible();

  /** Runs the clock as little as work needs that is put off by no time at all, until `isSo` or `most` milliseconds are over. */
  async function becomes(page: Page, isSo: (page: Page) => Promise<boolean>, most: number, step = 1) {
    for (let ms = 0; ms < most && !(await isSo(page)); ms += step) {
      await page.clock.runFor(step);
      await wait(100);
    }
    return isSo(page);
  }

  async function openWithClock(): Promise<Page> {
    const page = await stage.open('/favicon.svg', { as: admin, context: {} });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    return page;
  }

  /** Holds what is asked for at such addresses until the answer is called. */
  async function holds(page: Page, addresses: string): Promise<() => void> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(addresses, async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  const isKnown = (page: Page) => page.evaluate(() => localStorage.getItem('signed-in') !== null);

  test('is there once its parts and its data are', async () => {
    const page = await openWithClock();
    await page.goto(`${stage.origin}/dns`);
    // React shows nothing for 300 ms after it has shown that something is missing.
    expect(await becomes(page, empty, 250)).toBe(true);
  });

  test('is not said to be missing while its scripts are on their way', async () => {
    const page = await openWithClock();
    const sendConsole = await holds(page, '**/assets/console-*.js');
    await page.goto(`${stage.origin}/dns`, { waitUntil: 'commit' });
    await expect.poll(() => isKnown(page)).toBe(true);
    await becomes(page, async () => false, 5);
    await page.clock.runFor(1000);
    expect(await isMissing(page)).toBe(false);
    sendConsole();
    expect(await becomes(page, empty, 250)).toBe(true);
  });

  test('is not said so any more once a late answer says who is signed in', async () => {
    const page = await openWithClock();
    const sendConsole = await holds(page, '**/assets/console-*.js');
    const answer = await holds(page, '**/api/auth/user');
    await page.goto(`${stage.origin}/dns`, { waitUntil: 'commit' });
    expect(await becomes(page, isMissing, 2000, 20)).toBe(true);
    answer();
    expect(await becomes(page, async () => !(await isMissing(page)), 50)).toBe(true);
    sendConsole();
    expect(await becomes(page, empty, 250)).toBe(true);
  });
});
