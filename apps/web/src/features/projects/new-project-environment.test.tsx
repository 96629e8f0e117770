import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

async function openFields(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/deployments', state);
  await page.user.click(await screen.findByRole('button', { name: 'New Project' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
  await page.user.type(dialog.getByLabelText(/^Name/), 'Shop');
  // jsdom toggles by itself, and tells of it late.
  await page.user.click(dialog.getByText('Variables and database'));
  const text = await dialog.findByLabelText<HTMLTextAreaElement>('Environment variables');
  return { ...page, dialog, text, create: dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }) };
}

const created = (calls: { path: string; input: unknown }[]) =>
  calls.filter(({ path }) => path === 'projects.create').map(({ input }) => input);

it('gives a new project its variables and a new database of its name, and none while a line is wrong', async () => {
  const { user, world, dialog, text, create } = await openFields();
  fireEvent.change(text, { target: { value: 'A=1\nnot a line' } });
  expect(await dialog.findByText('Line 2: Expected NAME=value.')).toBeDefined();
  expect(create.disabled).toBe(true);
  fireEvent.change(text, { target: { value: 'A=1\nB="x y"' } });
  await user.click(dialog.getByRole('combobox', { name: 'Database' }));
  await user.click(await screen.findByRole('option', { name: 'New PostgreSQL database' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Database name/).value).toBe('Shop');
  await waitFor(() => expect(create.disabled).toBe(false));
  await user.click(create);
  await waitFor(() => expect(created(world.calls)).toHaveLength(1));
  expect(created(world.calls)).toMatchObject([
    {
      name: 'Shop',
      variables: [
        { name: 'A', value: '1' },
        { name: 'B', value: 'x y' },
      ],
      newDatabase: { name: 'Shop' },
    },
  ]);
});

it('links an existing database, and takes a dropped file', async () => {
  const database = mockDatabase({ name: 'orders' });
  const { user, world, dialog, text, create } = await openFields({ databases: [database] });
  const file = new File(['KEY=value'], '.env');
  fireEvent.drop(text, { dataTransfer: { files: [file], types: ['Files'] } });
  await waitFor(() => expect(text.value).toBe('KEY=value'));
  await user.click(dialog.getByRole('combobox', { name: 'Database' }));
  await user.click(await screen.findByRole('option', { name: 'orders' }));
  await user.click(create);
  await waitFor(() =>
    expect(created(world.calls)).toMatchObject([{ databaseId: database.id, variables: [{ name: 'KEY' }] }]),
  );
});

it('names the variable that the server refuses', async () => {
  const message = 'You have no database named x.';
  const fields = [{ path: 'variables.0.value', message }];
  const { user, dialog, text, create } = await openFields({
    refusals: { 'projects.create': { code: 'BAD_REQUEST', reason: 'VALIDATION', message, fields } },
  });
  fireEvent.change(text, { target: { value: `URL=\${{databases.x.url}}` } });
  await user.click(create);
  expect(await dialog.findByText(`URL: ${message}`)).toBeDefined();
});
