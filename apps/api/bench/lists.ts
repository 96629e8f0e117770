import { launchBrowser } from '../../web/e2e/browser.ts';
import type { Console } from './console.ts';
import { fill } from './many-things.ts';
import { compare, type Finding, median } from './measure.ts';

const FEW = 20;
const MANY = 10_000;
const PAGE = 60;
const MOST_RATIO = 1.5;
/** Milliseconds. */
const MOST_ANSWER = 100;
const MOST_DIALOG = 100;
const VISITS = 7;

interface Screen {
  name: string;
  path: string;
  /** REST, for the list's first page. */
  list: string;
  /** Sorts other than by age. */
  sorts: string[];
  /** What the newest thing is called, of so many. */
  newest: (count: number) => string;
  /** The button that opens its dialog. */
  button: string;
}

const SCREENS: Screen[] = [
  {
    ...{ name: 'projects', path: '/deployments', list: '/api/projects?', sorts: ['name', 'updated'] },
    ...{ newest: (count) => `project-${count}`, button: 'New Project' },
  },
  {
    ...{ name: 'files', path: '/storage', list: '/api/storage?fileData=false&', sorts: ['name', 'size'] },
    ...{ newest: (count) => `file-${count}`, button: 'Upload File' },
  },
  {
    ...{ name: 'records', path: '/dns', list: '/api/dns?', sorts: ['name'] },
    ...{ newest: (count) => `host-${count}`, button: 'Add Record' },
  },
  {
    ...{ name: 'images', path: '/containers', list: '/api/containers?', sorts: ['name', 'updated', 'size'] },
    ...{ newest: (count) => (count === FEW ? 'v10' : 'v20'), button: 'Register Image' },
  },
];

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type BrowserContext = Awaited<ReturnType<Browser['newContext']>>;
type Page = Awaited<ReturnType<BrowserContext['newPage']>>;

async function openContext(browser: Browser, console: Console, cookie: string) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: console.url }]);
  return context;
}

/** What runs in the page is text: nothing here knows a document. */
const NEXT_FRAME = 'new Promise((next) => requestAnimationFrame(() => setTimeout(next)))';

/** Milliseconds from the navigation to the first thing on the screen, as the page's own clock has it. */
async function firstRows(page: Page, address: string, newest: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  return page.evaluate<number>(`(async () => {
    while (!document.querySelector('main')?.textContent.includes(${JSON.stringify(newest)})) await ${NEXT_FRAME};
    return performance.now();
  })()`);
}

/**
 * Milliseconds that the main thread works from the click to the open dialog, the frame in which it is drawn included; of
 * the processor's time, which is the same on a busy machine.
 */
async function dialogWork(page: Page, button: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const work = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const times: number[] = [];
  for (let time = 0; time < VISITS; time += 1) {
    const before = await work();
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.evaluate(NEXT_FRAME);
    times.push((await work()) - before);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return median(times);
}

interface Visitors {
  few: BrowserContext;
  many: BrowserContext;
}

/** Opens a page of each by turns, so that what else the machine does falls on both; medians. */
async function measureFirstRows({ url }: Console, visitors: Visitors, screen: Screen) {
  const times = { few: [] as number[], many: [] as number[] };
  // The first visit fills the caches.
  for (let visit = 0; visit <= VISITS; visit += 1) {
    for (const [who, count] of [['few', FEW] as const, ['many', MANY] as const]) {
      const page = await visitors[who].newPage();
      const took = await firstRows(page, url + screen.path, screen.newest(count));
      if (visit > 0) times[who].push(took);
      await page.close();
    }
  }
  return { few: median(times.few), many: median(times.many) };
}

async function measureDialog(
  { url }: Console,
  context: BrowserContext,
  { path, newest, button }: Screen,
  count: number,
) {
  const page = await context.newPage();
  await firstRows(page, url + path, newest(count));
  const work = await dialogWork(page, button);
  await page.close();
  return work;
}

async function measureScreens(console: Console, few: string, many: string): Promise<Finding[]> {
  const browser = await launchBrowser();
  try {
    const visitors = {
      few: await openContext(browser, console, few),
      many: await openContext(browser, console, many),
    };
    const findings: Finding[] = [];
    for (const screen of SCREENS) {
      const rows = await measureFirstRows(console, visitors, screen);
      const ratio = rows.many / rows.few;
      findings.push({
        name: `first ${screen.name} on the screen, of ${MANY} against of ${FEW}`,
        detail: `${rows.many.toFixed(0)} ms, ${rows.few.toFixed(0)} ms: ${ratio.toFixed(2)} times; target ≤ ${MOST_RATIO}`,
        met: ratio <= MOST_RATIO,
      });
      const over = {
        few: await measureDialog(console, visitors.few, screen, FEW),
        many: await measureDialog(console, visitors.many, screen, MANY),
      };
      findings.push({
        name: `'${screen.button}' over ${MANY} ${screen.name}, main thread`,
        detail: `${over.many.toFixed(0)} ms, over ${FEW} ${over.few.toFixed(0)} ms; target ≤ ${MOST_DIALOG} ms`,
        met: over.many <= MOST_DIALOG,
      });
    }
    return findings;
  } finally {
    await browser.close();
  }
}

/** A page in each order, and searched, of many against the same page of few. */
async function measureAnswers(console: Console, few: string, many: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, list, sorts } of SCREENS) {
    const pageOf = (cookie: string, query: string) => ({
      url: `${console.url}${list}limit=${PAGE}${query}`,
      headers: { cookie },
      connections: 1,
      seconds: 1,
    });
    // Found nowhere, in the end of a page of its own, and everywhere.
    const searches = ['no-such-thing', '-9', 's'].map((words) => `&search=${words}`);
    for (const query of ['', ...sorts.map((sort) => `&sort=${sort}`), ...searches]) {
      const speeds = await compare(pageOf(many, query), pageOf(few, query), 1);
      const [ours, baseline] = [speeds.ours, speeds.baseline].map((speed) => 1000 / speed.requestsPerSecond);
      findings.push({
        name: `page of ${PAGE} ${name} of ${MANY}${query.replace('&', ', ')}`,
        detail: `${ours?.toFixed(1)} ms, of ${FEW} ${baseline?.toFixed(1)} ms; target ≤ ${MOST_ANSWER} ms`,
        met: (ours ?? Number.NaN) <= MOST_ANSWER,
      });
    }
  }
  return findings;
}

/** Lists of 10,000 things: the answers in every order, the screens' first rows, and dialogs above them. */
export async function measureLists(console: Console): Promise<Finding[]> {
  const few = await fill(console, 'lists-few@example.com', FEW);
  const many = await fill(console, 'lists-many@example.com', MANY);
  return [...(await measureAnswers(console, few, many)), ...(await measureScreens(console, few, many))];
}
