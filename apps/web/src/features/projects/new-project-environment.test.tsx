import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

async function openFields(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/deployments', state);
  await page.user.click(await screen.findByRole('button', { name: 'New Project' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
  await page.user.type(await dialog.findByLabelText(/^Name/), 'Shop');
  // The DOM of these tests toggles by itself, and tells of it late.
  await page.user.click(dialog.getByText('Variables and database'));
  const rows = within(await dialog.findByRole('list', { name: 'Variables to set' }));
  const name = rows.getByLabelText<HTMLInputElement>('Name');
  return {
    ...page,
    dialog,
    rows,
    name,
    create: dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }),
  };
}

function paste(input: HTMLElement, text: string) {
  fireEvent.paste(input, { clipboardData: { getData: () => text } });
}

const created = (calls: { path: string; input: unknown }[]) =>
  calls.filter(({ path }) => path === 'projects.create').map(({ input }) => input);

it('gives a new project its variables and a new database of its name, and none while one is wrong', async () => {
  const { user, world, dialog, rows, name, create } = await openFields();
  paste(name, 'A=1\n1B="x y"');
  expect(await rows.findByText(/^Use letters, digits and underscores only/)).toBeDefined();
  await waitFor(() => expect(create.disabled).toBe(true));
  fireEvent.change(rows.getByDisplayValue('1B'), { target: { value: 'C' } });
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
        { name: 'C', value: 'x y' },
      ],
      newDatabase: { name: 'Shop' },
    },
  ]);
});

it('links an existing database, and says a refusal beside the variable', async () => {
  const database = mockDatabase({ name: 'orders' });
  const message = 'You have no database named x.';
  const { user, world, dialog, rows, name, create } = await openFields({
    databases: [database],
    refusals: {
      'projects.create': {
        ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message },
        fields: [{ path: 'variables.0.value', message }],
      },
    },
  });
  await user.click(dialog.getByRole('combobox', { name: 'Database' }));
  await user.click(await screen.findByRole('option', { name: 'orders' }));
  const file = new File([`URL=\${{databases.x.url}}`], '.env');
  fireEvent.drop(name, { dataTransfer: { files: [file], types: ['Files'] } });
  await rows.findByDisplayValue('URL');
  await user.click(create);
  expect((await rows.findByRole('alert')).textContent).toBe(message);
  world.refusals = {};
  await user.click(create);
  await waitFor(() =>
    expect(created(world.calls)).toMatchObject([{ databaseId: database.id, variables: [{ name: 'URL' }] }]),
  );
});
