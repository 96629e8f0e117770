import type { ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, makeDatabase } from '../../api/test/databases/database-fixtures.ts';
import { connectPostgres } from '../../api/test/databases/postgres-session.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const MINUTE = 60_000;
const MB = 1024 ** 2;

let stage: Stage;
let ada: Person;
let database: ManagedDatabase;
let address: string;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
});
afterAll(() => stage.close());

/** An hour in which the server slept for a while. */
async function measure() {
  const minutes = Array.from({ length: 58 }, (_, n) => n + 1).filter((ago) => ago < 20 || ago > 30);
  const samples = minutes.map((ago) => ({
    ...{ databaseId: database.id, at: new Date(Date.now() - ago * MINUTE).toISOString() },
    ...{ size: 9 * MB - ago * 10_000, connections: 1 + (ago % 7), commits: (60 - ago) * 90 + (ago % 5) * 20 },
    ...{ rollbacks: 60 - ago, pagesHit: (60 - ago) * 990, pagesRead: (60 - ago) * 10 },
  }));
  await stage.world.deps.db.insertInto('databaseMetrics').values(samples).execute();
}

test('shows what a database did, what took long, and who waits for whom', async () => {
  await measure();
  const [holder, waiter] = await Promise.all(
    ['shop', 'report'].map((name) => connectPostgres(`${address}?application_name=${name}`)),
  );
  if (!holder || !waiter) throw new Error('there are no sessions');
  await holder.query('create table orders (id int, paid boolean); insert into orders values (1, false)');
  await holder.query('begin; update orders set paid = true where id = 1');
  const failed = waiter.query('update orders set paid = false').then(
    () => 'done',
    () => 'cancelled',
  );
  const page = await stage.open(`/databases/${database.id}`, { as: ada });
  await page.getByRole('link', { name: 'Figures' }).click();
  await page.getByText('Where a line breaks off, the server slept.').waitFor();
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('Blocks others').waitFor();
  await sessions.getByText(/^Waits for \d+/).waitFor();
  await page.getByRole('table', { name: 'Slow statements' }).getByText('insert into orders').waitFor();
  await expectSound(page);
  await picture(page, 'database-figures', true);
  await sessions.getByRole('button', { name: /^Cancel statement/ }).click();
  expect(await failed).toBe('cancelled');
  await sessions.getByText('Blocks others').waitFor({ state: 'detached' });
  await sessions.getByRole('listitem').filter({ hasText: 'shop' }).getByRole('button').click();
  const dialog = page.getByRole('alertdialog');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'End session' }).click();
  await sessions.getByText('shop').waitFor({ state: 'detached' });
  await expect.poll(() => holder.query('select 1').catch(() => 'ended')).toBe('ended');
  await waiter.end();
});

test('has its words on a narrow screen, too', async () => {
  const page = await stage.open(`/databases/${database.id}/figures?range=24h`, {
    ...{ as: ada, viewport: NARROW, theme: 'light' },
  });
  await page.getByText('Transactions as a table').waitFor();
  const statements = page.getByRole('region', { name: 'Slow statements' });
  await statements.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await page.getByText('No statement has run yet.').waitFor();
  await expectSound(page);
  await picture(page, 'database-figures-narrow-light', true);
});
