import { afterAll, beforeAll, expect, test } from 'vitest';
import { raiseAlert } from '../../api/src/domains/alerts/raise-alert.ts';
import { startAlertService } from '../../api/test/alerts/alert-service.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;
let ada: Person;
let service: Awaited<ReturnType<typeof startAlertService>>;

beforeAll(async () => {
  service = await startAlertService();
  stage = await createStage({ settings: { allowPrivateWebhooks: true } });
  ada = await stage.world.as('Ada');
});
afterAll(async () => {
  await stage.close();
  await service.close();
});

const raise = (name: string) =>
  raiseAlert(stage.world.deps.db, {
    ...{ ownerId: ada.user.id, kind: 'app-crashed', text: `web of ${name} ended.`, path: '/account' },
    subject: { kind: 'project', id: name, name },
  });

test('the bell tells of a crash as it happens, and leads to what it is about', async () => {
  await raise('Shop');
  const page = await stage.open('/storage', { as: ada, viewport: NARROW });
  await page.getByRole('button', { name: 'Alerts, 1 unread' }).waitFor();
  await raise('Blog');
  await page.getByRole('button', { name: 'Alerts, 2 unread' }).click();
  const drawer = page.getByRole('dialog', { name: 'Alerts' });
  await drawer.getByText('web of Blog ended.').waitFor();
  await expectSound(page);
  await picture(page, 'alerts-drawer-narrow');
  await drawer.getByRole('link', { name: 'Unread. App crashed: Blog' }).click();
  await page.waitForURL('**/account');
  await page.getByRole('button', { name: 'Alerts, 1 unread' }).click();
  await drawer.getByRole('button', { name: 'Mark all as read' }).click();
  await drawer.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Alerts', exact: true }).waitFor();
  await drawer.waitFor({ state: 'detached' });
});

test('a channel is added, tried out and looked at, on a narrow screen in the light', async () => {
  const page = await stage.open('/alerts', { as: ada, viewport: NARROW, theme: 'light' });
  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add channel' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Operations');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${service.origin}/hook?sig=hidden`);
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click();
  await expectSound(page);
  await picture(page, 'alert-channel-narrow-light');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await page.getByText(`Slack · ${service.origin}/…`).waitFor();
  service.answers.push({ status: 404, body: 'no_service' });
  await page.getByRole('button', { name: 'Send test to Operations' }).click();
  await page.getByText('Failing', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Deliveries to Operations' }).click();
  const deliveries = page.getByRole('dialog', { name: 'Deliveries to Operations' });
  await deliveries.getByText('HTTP 404').first().waitFor();
  await expectSound(page);
  await picture(page, 'alert-deliveries-narrow-light');
  await deliveries.getByRole('button', { name: 'Send again: Test of Nephos' }).click();
  await deliveries.getByText('Delivered').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Failing', { exact: true }).waitFor({ state: 'detached' });
  await expectSound(page);
  await picture(page, 'alerts-narrow-light', true);
  expect(service.taken).toHaveLength(2);
});
