import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const DATABASE = mockDatabase();
const IMPORT = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  name: 'shop.sql',
  ...{ size: 2048, statements: 12, skipped: ['2 statements about who owns what were left out.'], error: '' },
  ...{ startedAt: '2026-11-24T10:00:00.000Z', endedAt: '2026-11-24T10:00:01.000Z' },
};

it('imports a dump from an address, and tells what is refused', async () => {
  const { user, world } = renderPage(`/databases/${DATABASE.id}`, { databases: [DATABASE] });
  await user.click(await screen.findByRole('button', { name: 'Import a dump' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import a dump' }));
  await user.type(dialog.getByLabelText(/Address/), 'https://example.com/shop.sql');
  const message = 'This database is being moved. Wait for that, or cancel it.';
  world.refusals = { 'databaseImports.start': { code: 'CONFLICT', reason: 'BUSY', message } };
  await user.click(dialog.getByRole('button', { name: 'Import' }));
  expect(await dialog.findByText(message)).toBeDefined();
  world.refusals = {};
  await user.click(dialog.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText('Importing example.com…')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const asked = world.calls.filter(({ path }) => path === 'databaseImports.start');
  expect(asked.map(({ input }) => input)).toEqual([{ id: DATABASE.id, url: 'https://example.com/shop.sql' }]);
});

it.each([
  [{ ...IMPORT, status: 'done' as const }, ['shop.sql imported', IMPORT.skipped[0]]],
  [
    { ...IMPORT, status: 'failed' as const, error: 'Line 3, CREATE TABLE a: it exists.' },
    [
      'shop.sql could not be imported',
      'Line 3, CREATE TABLE a: it exists.',
      'Nothing of it is in the database.',
    ],
  ],
])('tells what became of the last one: $status', async (last, texts) => {
  renderPage(`/databases/${DATABASE.id}`, { databases: [DATABASE], databaseImports: [last] });
  for (const text of texts) expect(await screen.findByText(text ?? '')).toBeDefined();
});
