import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { lastAnswer, panel, requestsElsewhere } from './assistant-page.ts';
import { createStage, expectSound, picture, type Stage } from './stage.ts';

const DEPLOY_MS = 60_000;
/** Milliseconds between two pieces of an answer by rules: slow enough to load the page again in its middle. */
const PACE = 40;

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage({ overrides: { answerPace: PACE } });
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

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
