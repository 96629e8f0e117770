import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const page = await stage.open('/favicon.svg', as && { as });
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

test('a page of the console is there once its parts and its data are, whatever the clock says', async () => {
  const page = await stage.open('/favicon.svg', { as: admin });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(`${stage.origin}/dns`);
  const empty = page.getByText('No DNS records yet');
  // Some work is put off by no time at all. React shows nothing for 300 ms after it has shown that something is missing.
  for (let ms = 0; ms < 200 && !(await empty.isVisible()); ms += 1) {
    await page.clock.runFor(1);
    await wait(50);
  }
  expect(await empty.isVisible()).toBe(true);
});
