import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createWorld, type Person, type World, type WorldOptions } from '../../api/test/world.ts';
import { sharedBrowser } from './browser.ts';

const SCREENSHOTS = join(import.meta.dirname, 'screenshots');

/** Half the size of what the package's entry holds, which each page has to read anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** For a busy machine. What is there is seen as soon as it is. */
const PATIENCE_MS = 60_000;

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };

export interface Visit {
  /** Signed in as; absent: signed out. */
  as?: Person;
  viewport?: { width: number; height: number };
  theme?: 'dark' | 'light';
  /** A context of its own, so made: also for what would outlast the test in a page, as scripts, clocks and speeds do. */
  context?: BrowserContextOptions;
}

/** The real app with everything running, and a browser in front of it. */
export interface Stage {
  world: World;
  /** The console's address, as a person types it. */
  origin: string;
  open(path: string, visit?: Visit): Promise<Page>;
  close(): Promise<void>;
}

export async function createStage(options: Omit<WorldOptions, 'running'> = {}): Promise<Stage> {
  // The first person is an admin, whose first steps are not what a walk is about.
  const settings = { isSetUp: true, ...options.settings };
  const world = await createWorld({ ...options, settings, running: true });
  const browser = await sharedBrowser();
  const { origin } = world.deps.settings.publicUrl;
  return {
    world,
    origin,
    open: (path, visit = {}) => openPage(browser, origin, path, visit),
    close: world.close,
  };
}

/** What tests are done with. A page that has shown the console shows it again for a third of the work: its process knows it. */
const idle: Page[] = [];
const MOST_IDLE = 6;

/** A page of this origin that runs nothing. */
const QUIET = '/favicon.svg';

async function openPage(browser: Browser, origin: string, path: string, visit: Visit): Promise<Page> {
  const { as, viewport = WIDE, theme = 'dark', context: options } = visit;
  const page = (!options && takeIdle(browser)) || (await newPage(browser, options));
  const context = page.context();
  // A test that failed may be at it still.
  onTestFinished(({ task }) =>
    options || task.result?.state !== 'pass' ? context.close() : giveBack(page, origin),
  );
  if (as) {
    const cookies = as.cookie.split('; ').map((cookie) => cookie.split('='));
    await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url: origin })));
  }
  await page.setViewportSize(viewport);
  if (theme === 'light') {
    await goto(page, origin + QUIET);
    await page.evaluate(() => localStorage.setItem('theme', 'light'));
  }
  await goto(page, origin + path);
  return page;
}

function takeIdle(browser: Browser): Page | undefined {
  for (let page = idle.pop(); page; page = idle.pop()) {
    if (!page.isClosed() && page.context().browser() === browser) return page;
  }
  return undefined;
}

async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/** Leaves nothing of a test in its page, which would also go on listening and animating beside all later ones. */
async function giveBack(page: Page, origin: string): Promise<void> {
  const context = page.context();
  if (idle.length >= MOST_IDLE) return context.close();
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    await Promise.all([page, context].map((routed) => routed.unrouteAll({ behavior: 'ignoreErrors' })));
    for (const event of ['console', 'dialog', 'pageerror', 'request', 'response'] as const) {
      page.removeAllListeners(event);
      context.removeAllListeners(event);
    }
    // Where something is not saved, the page asks whether to leave it.
    page.once('dialog', (dialog) => dialog.accept());
    await page.goto(origin + QUIET, { timeout: 5000 });
    page.removeAllListeners('dialog');
    await page.mouse.move(-1, -1);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await context.clearCookies();
    idle.push(page);
  } catch {
    // The test closed it, or its server is gone: the next one has another.
    await context.close();
  }
}

/** Chromium ends what it has under way when the machine's network changes, as each sandbox and container changes it. */
async function goto(page: Page, url: string): Promise<void> {
  await page.goto(url).catch((error: Error) => {
    if (!error.message.includes('ERR_NETWORK_CHANGED')) throw error;
    return page.goto(url);
  });
}

/** Leaves a picture for people to look at, where `SCREENSHOTS` asks for them: each takes as long as many a step. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage });
}

/** axe finds nothing serious, and nothing is wider than the window. */
export async function expectSound(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const serious = await page.evaluate(async () => {
    const { axe: within } = window as unknown as { axe: typeof axe };
    // What a frame holds is a page of its own; and only violations are described.
    const { violations } = await within.run({ resultTypes: ['violations'], iframes: false });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({ id, targets: nodes.map(({ target, html }) => [target, html]) }));
  });
  expect(serious).toEqual([]);
  await expectNothingWider(page);
}

export async function expectNothingWider(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'nothing is wider than the window').toBeLessThanOrEqual(0);
}
