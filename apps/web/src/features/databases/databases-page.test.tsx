import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

function card(name: string) {
  const item = screen.getByRole('link', { name }).closest('li');
  if (!item) throw new Error(`${name} is not in a list`);
  return within(item);
}

async function openStream() {
  return vi.waitFor(() => {
    const opened = FakeEventSource.of('databases.changes');
    if (!opened) throw new Error('Nobody listens');
    return opened;
  });
}

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('the databases page', () => {
  it('opens the dialog of a new database by its address, which is free of it once the form is sent', async () => {
    const answer = Promise.withResolvers<void>();
    const { user, router, world } = renderPage('/databases?new=1', {
      delays: { 'databases.create': answer.promise },
      refusals: { 'databases.create': BROKEN },
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'New Database' }));
    await user.type(dialog.getByLabelText('Name'), 'orders');
    expect(window.location.search).toBe('?new=1');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(window.location.search).toBe(''));
    expect(router.state.location.search).toEqual({});
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('orders');
    answer.resolve();
    expect((await dialog.findByRole('alert')).textContent).toBe(BROKEN.message);
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('orders');

    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    await screen.findByRole('link', { name: 'orders' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows three skeleton cards while the databases load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/databases', { delays: { 'databases.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No databases yet');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });

  it('says why it cannot be loaded, and can be tried again', async () => {
    quiet();
    const { user, world } = renderPage('/databases', { refusals: { 'databases.list': BROKEN } });
    expect(await screen.findByText('Service temporarily unavailable')).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No databases yet')).toBeDefined();
  });
});

describe('a database card', () => {
  const FAILED = mockDatabase({
    id: idOf(902),
    name: 'broken',
    type: 'mysql',
    region: 'eu-west-1',
    storageSize: 25,
    status: 'failed',
    error: 'The MySQL server did not answer.',
  });

  it('says everything there is to say of it', async () => {
    renderPage('/databases', { databases: [mockDatabase()] });
    await screen.findByRole('link', { name: 'orders' });
    const orders = card('orders');
    expect(orders.getByText('PostgreSQL')).toBeDefined();
    expect(orders.getByText('Available')).toBeDefined();
    expect(orders.getByText('Region label').nextElementSibling?.textContent).toBe('us-east-1');
    expect(orders.getByText('10 GB')).toBeDefined();
    expect(orders.getByText('View Connection String')).toBeDefined();
    expect(orders.getByRole('link', { name: 'orders' }).getAttribute('href')).toBe(`/databases/${idOf(901)}`);
  });

  it('of a failed one gives the reason and makes it again', async () => {
    const { user, world } = renderPage('/databases', { databases: [FAILED] });
    await screen.findByRole('link', { name: 'broken' });
    const broken = card('broken');
    expect(broken.getByText('Failed')).toBeDefined();
    expect(broken.getByText('The MySQL server did not answer.')).toBeDefined();
    await user.click(broken.getByRole('button', { name: 'Retry broken' }));
    expect(await broken.findByText('Creating')).toBeDefined();
    expect(broken.queryByText('The MySQL server did not answer.')).toBeNull();
    expect(broken.queryByRole('button', { name: 'Retry broken' })).toBeNull();
    expect(world.calls).toContainEqual({ path: 'databases.retry', input: { id: FAILED.id } });
  });

  it('says why it cannot be made again', async () => {
    const { user } = renderPage('/databases', {
      databases: [FAILED],
      refusals: { 'databases.retry': { ...BROKEN, message: 'Set MANAGED_MYSQL_URL to offer MySQL.' } },
    });
    await user.click(await screen.findByRole('button', { name: 'Retry broken' }));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({
        title: 'Error',
        description: 'Set MANAGED_MYSQL_URL to offer MySQL.',
      }),
    );
  });

  it('follows its database live: it comes, is created, and goes', async () => {
    const creating = mockDatabase({ status: 'creating' });
    const { world } = renderPage('/databases');
    await screen.findByText('No databases yet');
    const stream = await openStream();
    act(() => stream.connect());
    world.databases = [creating];
    act(() => stream.send('1', { id: creating.id, database: creating }));
    expect(await screen.findByText('Creating')).toBeDefined();
    act(() => stream.send('2', { id: creating.id, database: mockDatabase() }));
    expect(await screen.findByText('Available')).toBeDefined();
    act(() => stream.send('3', { id: creating.id, database: null }));
    expect(await screen.findByText('No databases yet')).toBeDefined();
  });

  it('catches up on what happened before the stream was open', async () => {
    const { world } = renderPage('/databases', { databases: [mockDatabase({ status: 'creating' })] });
    await screen.findByText('Creating');
    const stream = await openStream();
    world.databases = [mockDatabase()];
    act(() => stream.connect());
    expect(await screen.findByText('Available')).toBeDefined();
  });
});

describe('the connection string', () => {
  async function openDialog(state: Parameters<typeof renderPage>[1]) {
    const page = renderPage('/databases', state);
    await page.user.click(await screen.findByRole('button', { name: 'View Connection String of orders' }));
    return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'Connection string' })) };
  }

  const MASKED = 'postgresql://db_orders:••••••••@localhost:5433/db_orders';

  it('is not asked for before', async () => {
    const { world } = renderPage('/databases', { databases: [mockDatabase()] });
    await screen.findByRole('link', { name: 'orders' });
    expect(world.calls.some(({ path }) => path === 'databases.connection')).toBe(false);
  });

  it('appears by itself once the database is created', async () => {
    const { dialog, world } = await openDialog({ databases: [mockDatabase({ status: 'creating' })] });
    expect(dialog.getByText(/Creating the database/)).toBeDefined();
    expect(world.calls.some(({ path }) => path === 'databases.connection')).toBe(false);
    const stream = await openStream();
    world.databases = [mockDatabase()];
    act(() => stream.connect());
    expect(await dialog.findByText(MASKED)).toBeDefined();
  });

  it('is not there for a failed database', async () => {
    const failed = mockDatabase({ status: 'failed', error: 'The disk is full.' });
    const { dialog } = await openDialog({ databases: [failed] });
    expect(dialog.getByText('No connection string')).toBeDefined();
    expect(dialog.getByText(/The disk is full\./)).toBeDefined();
  });

  it('says why it cannot be loaded, and can be tried again', async () => {
    const { user, dialog, world } = await openDialog({
      databases: [mockDatabase()],
      refusals: { 'databases.connection': BROKEN },
    });
    expect((await dialog.findByRole('alert')).textContent).toContain('Service temporarily unavailable');
    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByText(MASKED)).toBeDefined();
  });
});

describe('creating a database', () => {
  async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/databases', state);
    await page.user.click(await screen.findByRole('button', { name: 'New Database' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Database' }));
    return { ...page, dialog, create: dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }) };
  }

  it('by keyboard alone: another type, another region, more storage', async () => {
    const { user, dialog, world } = await openDialog();
    expect(dialog.getByText('A label only. Databases run on this server.')).toBeDefined();
    expect(document.activeElement).toBe(dialog.getByLabelText('Name'));
    await user.keyboard('shop{Tab}{Enter}');
    await screen.findByRole('option', { name: 'MySQL' });
    await user.keyboard('{ArrowDown}{Enter}{Tab}{Enter}');
    await screen.findByRole('option', { name: 'eu-west-1' });
    await user.keyboard('{End}{Enter}{Tab}');
    await user.clear(dialog.getByLabelText('Storage (GB)'));
    await user.keyboard('250{Enter}');
    await screen.findByRole('link', { name: 'shop' });
    expect(world.calls.find(({ path }) => path === 'databases.create')?.input).toEqual({
      name: 'shop',
      type: 'mysql',
      region: 'eu-west-1',
      storageSize: 250,
    });
  });

  it('without storage, where it is kept in memory', async () => {
    const { user, dialog, world } = await openDialog();
    await user.type(dialog.getByLabelText('Name'), 'sessions');
    await user.click(dialog.getByRole('combobox', { name: 'Type' }));
    await user.click(await screen.findByRole('option', { name: 'Redis' }));
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    await screen.findByRole('link', { name: 'sessions' });
    const asked = world.calls.find(({ path }) => path === 'databases.create');
    expect(asked?.input).toEqual({ name: 'sessions', type: 'redis', region: 'us-east-1' });
  });

  it('shows what this server cannot make, and why, before one tries', async () => {
    const { user, dialog } = await openDialog();
    expect(
      dialog.getByText('MongoDB is not available: Set MANAGED_MONGODB_URL to offer MongoDB.'),
    ).toBeDefined();
    await user.click(dialog.getByRole('combobox', { name: 'Type' }));
    const option = await screen.findByRole('option', { name: 'MongoDB (not available)' });
    expect(option.getAttribute('aria-disabled')).toBe('true');
  });

  it('starts from the first type that can be made', async () => {
    const { dialog } = await openDialog({
      databaseEngines: [
        { type: 'postgresql', available: false, reason: 'The managed cluster does not run.' },
        { type: 'mysql', available: true, reason: '' },
        { type: 'mongodb', available: false, reason: 'Set MANAGED_MONGODB_URL.' },
      ],
    });
    expect(dialog.getByRole('combobox', { name: 'Type' }).textContent).toBe('MySQL');
  });

  it('does not pretend where nothing can be made', async () => {
    const { user, dialog, create } = await openDialog({
      databaseEngines: [
        { type: 'postgresql', available: false, reason: 'The managed cluster does not run.' },
      ],
    });
    await user.type(dialog.getByLabelText('Name'), 'orders');
    expect(create.disabled).toBe(true);
  });

  it('fails with the specified toast, and says in the dialog what to do', async () => {
    const { user, dialog, create } = await openDialog({
      refusals: {
        'databases.create': {
          code: 'CONFLICT',
          reason: 'TAKEN',
          message: 'You have a database of that name.',
        },
      },
    });
    await user.type(dialog.getByLabelText('Name'), 'orders');
    await user.click(create);
    expect((await dialog.findByRole('alert')).textContent).toBe('You have a database of that name.');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to create database',
      variant: 'destructive',
    });
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('orders');
  });

  it('lets the server judge the storage, and shows what is wrong beside the field', async () => {
    const message = 'Storage must be a whole number of GB from 10 to 1000.';
    const { user, dialog, create } = await openDialog({
      refusals: {
        'databases.create': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Some fields are not valid.',
          fields: [{ path: 'storageSize', message }],
        },
      },
    });
    await user.type(dialog.getByLabelText('Name'), 'orders');
    await user.clear(dialog.getByLabelText('Storage (GB)'));
    await user.type(dialog.getByLabelText('Storage (GB)'), '5');
    await user.click(create);
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(dialog.getByLabelText('Storage (GB)').getAttribute('aria-invalid')).toBe('true');
  });
});

it('the command palette finds a database', async () => {
  const { user, router } = renderPage('/databases', { databases: [mockDatabase()] });
  await screen.findByRole('link', { name: 'orders' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'orders');
  await user.click(await screen.findByRole('option', { name: 'orders' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/databases/${idOf(901)}`));
});
