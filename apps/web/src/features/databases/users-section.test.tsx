import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf, mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const DATABASE = mockDatabase();

it('adds a user, shows the address once, and removes them', async () => {
  const { user, world, queryClient } = renderPage(`/databases/${DATABASE.id}`, { databases: [DATABASE] });
  const kept = () =>
    JSON.stringify(
      queryClient
        .getMutationCache()
        .getAll()
        .map(({ state }) => state.data),
    );
  await user.click(await screen.findByRole('button', { name: 'New user' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New user' }));
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'reporting');
  await user.click(dialog.getByRole('button', { name: 'Add user' }));
  expect(await dialog.findByText(/reporting:made@/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  const table = within(await screen.findByRole('table', { name: 'Users' }));
  expect(table.getByText('Read only')).toBeDefined();
  expect(screen.queryByText(/reporting:made@/)).toBeNull();
  await waitFor(() => expect(kept()).not.toContain('reporting:made@'));

  await user.click(table.getByRole('button', { name: 'Reset the password of reporting' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Reset password' }));
  const shown = within(await screen.findByRole('dialog', { name: 'New password of reporting' }));
  expect(shown.getByText(/reporting:rotated@/)).toBeDefined();
  expect(kept()).toContain('reporting:rotated@');
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(kept()).not.toContain('reporting:rotated@'));

  await user.click(table.getByRole('button', { name: 'Remove reporting' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(world.databaseUsers).toEqual([]));
  expect(await screen.findByText('No further users.')).toBeDefined();
});

it('shows a user who was made although the call failed', async () => {
  const message = 'The database server does not answer.';
  const { user, world } = renderPage(`/databases/${DATABASE.id}`, {
    databases: [DATABASE],
    refusals: { 'databaseUsers.create': { code: 'SERVICE_UNAVAILABLE', reason: 'UNAVAILABLE', message } },
  });
  await user.click(await screen.findByRole('button', { name: 'New user' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New user' }));
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'reporting');
  world.databaseUsers = [{ id: idOf(903), name: 'reporting', access: 'read', createdAt: DATABASE.createdAt }];
  await user.click(dialog.getByRole('button', { name: 'Add user' }));
  expect(await dialog.findByText(message)).toBeDefined();
  expect(await screen.findByText('Read only', { selector: 'td' })).toBeDefined();
});

it('says nothing of users where others share the server', async () => {
  renderPage(`/databases/${DATABASE.id}`, { databases: [{ ...DATABASE, activity: null }] });
  expect(await screen.findByText('7.00 MB')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'New user' })).toBeNull();
});
