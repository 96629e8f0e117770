import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, ask, makeDatabase } from '../../api/test/databases/database-fixtures.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;
let ada: Person;
let path: string;
let address: string;

beforeAll(async () => {
  stage = await createStage({ overrides: { archiverTimes: { lookEvery: 200, firstAfter: 0 } } });
  ada = await stage.world.as('Ada');
  const database = await makeDatabase(ada, { name: 'orders' });
  path = `/databases/${database.id}`;
  address = await addressOf(ada, database);
  await ask(address, 'create table items (n int); insert into items values (1)');
});
afterAll(() => stage.close());

test('a database is backed up, proved and brought back by keyboard, and changes places with what came back', async () => {
  const page = await stage.open(`${path}/backups`, { as: ada });
  const backups = page.getByRole('region', { name: 'Backups' });
  await page.getByText('Last proved').waitFor();
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByText('Last proved').waitFor();
      return backups.getByText('Done').count();
    })
    .toBe(1);
  await expectSound(page);
  await picture(page, 'database-backups', true);
  await page.getByRole('button', { name: 'Back up now' }).focus();
  await page.keyboard.press('Enter');
  await backups.getByText('Done').nth(1).waitFor();
  await page.getByRole('button', { name: 'Prove now' }).focus();
  await page.keyboard.press('Enter');
  await page
    .getByText(/1 table with 1 row restored, without damage/)
    .first()
    .waitFor();
  await expectSound(page);

  await page.getByRole('button', { name: 'Restore…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Restore database' });
  await dialog.getByRole('textbox', { name: 'Name of the new database' }).waitFor();
  await expectSound(page);
  await picture(page, 'database-restore');
  await dialog.getByRole('textbox', { name: 'Name of the new database' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'orders-restored' }).waitFor();
  await page.getByText('Available').waitFor();
  await ask(address, 'insert into items values (2)');

  await page.goto(`${stage.origin}${path}/backups`);
  await page.getByRole('button', { name: 'Swap…' }).click();
  const swap = page.getByRole('dialog', { name: 'Swap databases' });
  await swap.getByText(/orders and orders-restored change places/).waitFor();
  await expectSound(page);
  await picture(page, 'database-swap');
  await swap.getByRole('button', { name: 'Swap', exact: true }).click();
  await swap.waitFor({ state: 'detached' });
  await expect.poll(() => ask(address, 'select n from items order by n').catch(() => [])).toEqual([[1]]);
});

test('on a phone, in the light, what is kept is seen and set', async () => {
  // The backups went with what is in the database.
  const other = (await ada.rpc.databases.list.query()).find(({ name }) => name === 'orders-restored');
  const page = await stage.open(`/databases/${other?.id}/backups`, {
    ...{ as: ada, viewport: NARROW, theme: 'light' },
  });
  await page.getByLabel('Keep for (days)').fill('31');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Days must be a whole number from 1 to 30.').waitFor();
  await expectSound(page);
  await picture(page, 'database-backups-narrow-light', true);
  await page.getByLabel('Keep for (days)').fill('14');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  await page.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore database' });
  await dialog.getByLabel(/Date and time/).fill('2020-01-01T00:00:00');
  await dialog.getByText(/Choose a moment that is kept/).waitFor();
  await expectSound(page);
  await picture(page, 'database-restore-narrow-light', true);
});
