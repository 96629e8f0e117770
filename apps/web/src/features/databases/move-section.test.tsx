import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const SHARED = mockDatabase({ activity: null, version: '' });
const MOVE = { name: 'Move to a server of its own' };

it('moves a database that shares its server, and says what that means first', async () => {
  const { user } = renderPage(`/databases/${SHARED.id}`, {
    databases: [SHARED],
    databaseMoveState: { unavailable: '', error: 'The disk was full.' },
  });
  expect(await screen.findByText('The disk was full.')).toBeDefined();
  await user.click(screen.getByRole('button', MOVE));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/The address, the user and the password stay/)).toBeDefined();
  await user.click(question.getByRole('button', { name: 'Move' }));
  expect(await screen.findByRole('button', { name: 'Cancel moving orders' })).toBeDefined();
});

it('says why one stays where it is', async () => {
  renderPage(`/databases/${SHARED.id}`, {
    databases: [SHARED],
    databaseMoveState: { unavailable: 'It stays on that server.', error: '' },
  });
  expect(await screen.findByText('It stays on that server.')).toBeDefined();
  expect(screen.queryByRole('button', MOVE)).toBeNull();
});

it('does not offer it to one that has a server of its own', async () => {
  renderPage(`/databases/${SHARED.id}`, { databases: [mockDatabase()] });
  expect(await screen.findByRole('heading', { name: 'Server' })).toBeDefined();
  expect(screen.queryByRole('button', MOVE)).toBeNull();
});
