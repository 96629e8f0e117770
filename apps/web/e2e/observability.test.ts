import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordEvent } from '../../api/src/domains/observability/events.ts';
import { createProjectLog } from '../../api/src/domains/observability/log-store.ts';
import { storeFigures } from '../../api/src/domains/observability/metrics-store.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const MB = 1024 ** 2;
const LINES = 2000;

let stage: Stage;
let ada: Person;
let id: string;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
  ({ id } = await ada.rpc.projects.create.mutate({ name: 'Observed', description: 'An app that is seen' }));
  await writeLines(1, LINES);
  await writeFigures();
});

afterAll(() => stage.close());

async function writeLines(from: number, to: number): Promise<void> {
  const log = createProjectLog(stage.world.deps, id);
  for (let n = from; n <= to; n += 1) {
    const process = n % 4 ? 'web' : 'mailer';
    const stream = n % 50 ? 'stdout' : 'stderr';
    const text =
      n % 50
        ? `\u001b[32mGET\u001b[0m /orders/${n} 200 in ${n % 90} ms`
        : `TypeError: order ${n} is undefined and this line is long enough to be broken on a narrow screen`;
    const line = { process, instance: 1 + (n % 2), deploymentId: null, stream, text } as const;
    log.add({ ...line, at: Date.now() - (LINES - n) * 10 });
  }
  await log.close();
}

async function writeFigures(): Promise<void> {
  for (let ago = 1; ago <= 50; ago += 1) {
    const wave = 1 + Math.sin(ago / 6);
    const figures = (process: string, share: number) => ({
      ...{ projectId: id, process, cpuMs: Math.round(9000 * wave * share), memorySamples: 60 },
      ...{ memorySum: Math.round(60 * (150 + 30 * wave) * share * MB), memoryMax: 200 * MB, disk: 320 * MB },
      ...{ requests: 0, errors: 0, latencies: [] as number[] },
    });
    const requests = Math.round(300 * wave);
    const latencies = [...Array(14).fill(0), requests - 4, 2, 1, 0, 0, 0, 1];
    await storeFigures(
      stage.world.deps.db,
      [
        { ...figures('', 1), requests, errors: ago % 9 ? 0 : 12, latencies },
        figures('web', 0.7),
        figures('mailer', 0.3),
      ],
      new Date(Date.now() - ago * 60_000),
    );
  }
}

/** Each width and each theme once; for pictures, each of them with each. */
const LOOKS = [
  { look: 'dark' },
  { look: 'narrow-light', viewport: NARROW, theme: 'light' as const },
  ...(process.env.SCREENSHOTS
    ? [
        { look: 'light', theme: 'light' as const },
        { look: 'narrow', viewport: NARROW },
      ]
    : []),
];

test('what an app writes is followed, searched, narrowed and saved', async () => {
  for (const { look, ...visit } of LOOKS) {
    const page = await stage.open(`/projects/${id}/logs`, { as: ada, ...visit });
    await page.getByText('/orders/1999 200').waitFor();
    await page.getByText('Streaming').waitFor();
    await picture(page, `logs-${look}`);
    await expectSound(page);
  }
  const page = await stage.open(`/projects/${id}/logs`, { as: ada });
  const log = page.getByRole('log', { name: 'App log' });
  await page.getByText('Streaming').waitFor();
  await writeLines(LINES + 1, LINES + 1);
  await log.getByText(`/orders/${LINES + 1} 200`).waitFor();

  await page.getByRole('searchbox', { name: 'Search the logs' }).fill('ORDER 150 IS');
  await page.getByText('1 matching line', { exact: true }).waitFor();
  await log.getByText('order 150 is', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('ORDER 150 IS');
  await page.getByRole('combobox', { name: 'Process' }).click();
  await page.getByRole('option', { name: 'mailer' }).click();
  await page.getByText('No matching lines').waitFor();
  await picture(page, 'logs-none');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('500 lines').waitFor();
  await page.getByRole('combobox', { name: 'Output' }).click();
  await page.getByRole('option', { name: 'stderr' }).click();
  await page.getByText('40 matching lines').waitFor();
  await page.getByRole('switch', { name: 'Wrap lines' }).click();
  await picture(page, 'logs-stderr');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`project-${id}.log`);

  await page.getByRole('button', { name: 'Retention' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log retention' });
  await dialog.getByLabel('Size in MB').fill('5000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('The log size must be a whole number from 1 to 1024 MB.').waitFor();
  await picture(page, 'logs-retention');
  await dialog.getByLabel('Size in MB').fill('20');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Log retention saved', { exact: true }).waitFor();
  expect((await ada.rpc.projects.get.query({ id })).settings).toMatchObject({ logSize: 20, logAge: null });
});

test('older lines are a click away, and what is in sight stays', async () => {
  const page = await stage.open(`/projects/${id}/logs?follow=off`, { as: ada });
  const log = page.getByRole('log', { name: 'App log' });
  await page.getByText('500 lines').waitFor();
  await log.evaluate((frame) => frame.scrollTo(0, 0));
  await page.getByRole('button', { name: 'Load older lines' }).click();
  await page.getByText('1,000 lines').waitFor();
  expect(await log.evaluate((frame) => frame.scrollTop)).toBeGreaterThan(5000);
});

test('figures are drawn and told in tables', async () => {
  for (const { look, ...visit } of LOOKS) {
    const page = await stage.open(`/projects/${id}/metrics`, { as: ada, ...visit });
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await picture(page, `metrics-${look}`);
    await expectSound(page);
  }
  const page = await stage.open(`/projects/${id}/metrics`, { as: ada });
  await page.getByText('Memory as a table').click();
  await page.getByRole('table', { name: 'Memory' }).getByRole('columnheader', { name: 'mailer' }).waitFor();
});

test('the overview tells what happened, as it happens, and the cards how apps do', async () => {
  const page = await stage.open(`/projects/${id}`, { as: ada });
  await page.getByText('Deployments, restarts and crashes of this project').waitFor();
  await recordEvent(stage.world.deps.db, {
    ...{ projectId: id, kind: 'crashed', process: 'web', instance: 1, exitCode: 1 },
    message: 'web exited with code 1.',
    lastLines: 'TypeError: order is undefined\n    at handle (server.js:12:7)',
  });
  await page.getByRole('heading', { name: 'Crashed', exact: true }).waitFor();
  await recordEvent(stage.world.deps.db, {
    projectId: id,
    kind: 'scaled',
    message: 'Scaled web to 2 instances.',
  });
  await page.getByText('at handle (server.js:12:7)').first().waitFor();
  await picture(page, 'events-dark');
  await expectSound(page);
  for (const { look, ...visit } of LOOKS.slice(1)) {
    const other = await stage.open(`/projects/${id}`, { as: ada, ...visit });
    await other.getByRole('heading', { name: 'Crashed', exact: true }).waitFor();
    await picture(other, `events-${look}`);
  }
  for (const { look, ...visit } of LOOKS) {
    const list = await stage.open('/', { as: ada, ...visit });
    await list.getByRole('img', { name: /^Memory: \d+\.\d+ MB now$/ }).waitFor();
    await picture(list, `cards-${look}`);
    await expectSound(list);
  }
});
