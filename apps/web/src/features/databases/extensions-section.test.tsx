import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf, mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const DATABASE = mockDatabase();
const CITEXT = { name: 'citext', about: 'Text that ignores case', version: '1.8', isOn: false, schema: '' };

it('adds an extension, and removes it with what depends on it only when told so', async () => {
  const { user, world } = renderPage(`/databases/${DATABASE.id}`, {
    databases: [DATABASE],
    databaseExtensions: [CITEXT],
  });
  // Asking wakes the server.
  await user.click(await screen.findByRole('button', { name: 'Show extensions' }));
  await user.click(await screen.findByRole('button', { name: 'Add citext' }));
  await user.click(await screen.findByRole('button', { name: 'Remove citext' }));
  const message = 'The column name of table people depends on citext.';
  world.refusals = { 'databaseExtensions.remove': { code: 'CONFLICT', reason: 'DEPENDED', message } };
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove citext?' }));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await dialog.findByText(message)).toBeDefined();
  world.refusals = {};
  await user.click(dialog.getByRole('button', { name: 'Remove with all of that' }));
  await waitFor(() => expect(world.databaseExtensions).toEqual([CITEXT]));
  const asked = world.calls.filter(({ path }) => path === 'databaseExtensions.remove');
  // One that was refused is not among them.
  expect(asked.map(({ input }) => input)).toEqual([{ id: DATABASE.id, name: 'citext', cascade: true }]);
});

it('asks for none of another database before it is told to', async () => {
  const other = mockDatabase({ id: idOf(902), name: 'billing' });
  const { user, world, router } = renderPage(`/databases/${DATABASE.id}`, {
    databases: [DATABASE, other],
    databaseExtensions: [CITEXT],
  });
  await user.click(await screen.findByRole('button', { name: 'Show extensions' }));
  expect(await screen.findByRole('button', { name: 'Add citext' })).toBeDefined();
  await router.navigate({ to: '/databases/$databaseId', params: { databaseId: other.id } });
  expect(await screen.findByRole('heading', { level: 1, name: 'billing' })).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Show extensions' })).toBeDefined();
  const asked = world.calls.filter(({ path }) => path === 'databaseExtensions.list');
  expect(asked.map(({ input }) => input)).toEqual([{ id: DATABASE.id }]);
});
