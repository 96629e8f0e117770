import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFailedJob } from '../../api/test/failed-job.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const SCRIPT = join(import.meta.dirname, '..', 'public', 'verify-activity.mjs');

/** Pages whose buttons a viewer is refused. */
const REFUSED = ['/deployments', '/databases', '/dns', '/storage', '/containers', '/alerts'];

const LISTING = /\/trpc\/[^?]*audit\.list/;

let stage: Stage;
let root: Person;
let ada: Person;
let projectId: string;

beforeAll(async () => {
  stage = await createStage();
  [root, ada] = [await stage.world.as('Root'), await stage.world.as('Ada')];
  const { id } = await ada.rpc.projects.create.mutate({ name: 'Analytical', template: 'static-site' });
  projectId = id;
  await ada.rpc.dns.create.mutate({ domain: 'ada.test', recordType: 'A', name: '@', value: '192.0.2.1' });
  const address = 'https://hooks.example.test/a';
  await ada.rpc.alertChannels.create.mutate({ type: 'webhook', name: 'Hook', kinds: [], address });
});

afterAll(() => stage.close());

async function joins(name: string, role: 'viewer' | 'billing'): Promise<Person> {
  const person = await stage.world.as(name);
  const { link } = await ada.rpc.workspaces.invite.mutate({ id: ada.user.id, role });
  await person.rpc.workspaces.accept.mutate({ token: link.split('/').at(-1) ?? '' });
  await person.rpc.workspaces.enter.mutate({ id: ada.user.id });
  return person;
}

/** What the buttons of the page say: why they do nothing, or that they are dead without a word. */
function said(page: Page): Promise<string[]> {
  return page
    .getByRole('main')
    .getByRole('button', { disabled: true })
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-description') ?? '(nothing)'),
    );
}

/** Once no part of the page is on its way. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(stage.origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"], [data-testid^="skeleton"]').count()).toBe(0);
}

test('whoever may not do something reads why, by keyboard and finger too', async () => {
  const viewer = await joins('Vera', 'viewer');
  const page = await stage.open('/', { as: viewer });
  for (const path of [...REFUSED, `/projects/${projectId}`]) {
    await visit(page, path);
    await expect
      .poll(() => said(page), { message: path })
      .toContainEqual(expect.stringContaining('the role Developer'));
    expect(await said(page), path).not.toContain('(nothing)');
  }
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
  await picture(page, 'viewer-project-dark', true);
  await expectSound(page);

  const finger = { viewport: NARROW, theme: 'light', context: { hasTouch: true } } as const;
  const phone = await stage.open('/dns', { as: viewer, ...finger });
  const why = phone.getByRole('tooltip').filter({ hasText: 'the role Developer' });
  await expect
    .poll(async () => {
      // Playwright waits for a button that does something. And a tap on a page that is being drawn anew is lost.
      await phone.getByRole('button', { name: 'Add Record' }).tap({ force: true });
      return why.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
  expect(await phone.getByRole('dialog').count()).toBe(0);
  await picture(phone, 'viewer-dns-light-narrow');
  await expectSound(phone);

  // Money is what this role is for, and nothing is built by it.
  const payer = await joins('Bill', 'billing');
  const money = await stage.open('/payment-gateway', { as: payer });
  await money.getByRole('button', { name: /first account/ }).waitFor();
  expect(await said(money)).toEqual([]);
  await visit(money, '/deployments');
  expect(new Set(await said(money))).toEqual(
    new Set(['You need the role Developer in this workspace to do this. You have Billing.']),
  );
});

test('a token is made for one zone, and its row says so', async () => {
  const page = await stage.open('/account', { as: ada, viewport: NARROW });
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('dns');
  await dialog.getByLabel('Access to').click();
  await page.getByRole('option', { name: 'One DNS zone' }).click();
  await dialog.getByLabel('Which one').click();
  await page.getByRole('option', { name: 'ada.test' }).click();
  await picture(page, 'token-for-zone-dark-narrow');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = (await dialog.getByText(/^nph_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Only ada.test').waitFor();
  const headers = { authorization: `Bearer ${token.trim()}` };
  const status = async (route: string) => (await stage.world.anyone.rest(route, { headers })).status;
  expect(await status('GET /api/dns-zones/ada.test/zone-file')).toBe(200);
  expect(await status('GET /api/projects')).toBe(403);
});

test('what was done is listed, narrowed, exported and checked', async () => {
  const page = await stage.open('/activity', { as: ada });
  const list = page.getByRole('table', { name: 'Activity' });
  await list.getByText('Analytical').first().waitFor();
  await picture(page, 'activity-dark', true);
  await expectSound(page);

  await page.getByRole('combobox', { name: 'Kind of thing' }).click();
  await page.getByRole('option', { name: 'Project', exact: true }).click();
  await expect.poll(() => list.getByRole('row').count()).toBe(2);
  await list.getByRole('button', { name: /^Details of/ }).focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('dialog');
  await details.getByText('projects.create').waitFor();
  await expectSound(page);
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('nothing of this name');
  await page.getByText(/^No activity matches\./).waitFor();
  await page.getByRole('button', { name: 'Show all activity' }).click();
  await list.getByText('ada.test').first().waitFor();

  const { db } = stage.world.deps;
  const unsealed = () =>
    db.selectFrom('auditLog').select('id').where('position', 'is', null).limit(1).execute();
  await expect.poll(unsealed).toEqual([]);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export JSON lines' }).click();
  const file = await (await saving).path();
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, file]);
  expect(stdout).toContain('every record holds');

  // Asked again with each visit: what cannot be loaded says so, and how to go on.
  await page.route(LISTING, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.setViewportSize(NARROW);
  await page.reload();
  await page.getByText('Failed to load activity').first().waitFor();
  await expectSound(page);
  await page.unroute(LISTING);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('list', { name: 'Activity' }).getByText('ada.test').first().waitFor();
  await picture(page, 'activity-dark-narrow', true);
  await expectSound(page);
});

test('an admin runs a job again, sees the settings, and deletes somebody whose things go to another', async () => {
  await addFailedJob(stage.world.deps.db, 'No answer');
  const page = await stage.open('/admin?tab=jobs', { as: root, viewport: NARROW, theme: 'light' });
  const jobs = page.getByRole('list', { name: 'Jobs' });
  await jobs.getByText('No answer').waitFor();
  await picture(page, 'admin-jobs-light-narrow', true);
  await expectSound(page);
  await jobs.getByRole('button', { name: 'Run now' }).first().click();
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return jobs.getByText('No answer').count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(0);

  await visit(page, '/admin?tab=settings');
  await page.getByText('Who can create an account.').waitFor();
  await picture(page, 'admin-settings-light-narrow', true);
  await expectSound(page);

  const heir = await stage.world.as('Heir');
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, '/admin');
  await page.getByRole('button', { name: `Manage ${ada.user.email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('list', { name: 'What they have' }).getByText('1 project').waitFor();
  await question.getByLabel("New owner's email").fill(heir.user.email);
  await question.getByLabel(`Type ${ada.user.email} to confirm`).fill(ada.user.email);
  await picture(page, 'delete-person-light');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('Account deleted', { exact: true }).first().waitFor();
  const theirs = (await heir.rpc.workspaces.list.query()).find(({ personal }) => !personal);
  const headers = { 'x-workspace': theirs?.id ?? '' };
  expect((await heir.rest('GET /api/projects', { headers })).body).toMatchObject([{ name: 'Analytical' }]);
});
