import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const DATABASE = mockDatabase();
const PATH = `/databases/${DATABASE.id}`;
const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

function bar(label: string) {
  return screen.getByRole('progressbar', { name: `${label} used` }).getAttribute('aria-valuenow');
}

async function openStream() {
  return vi.waitFor(() => {
    const opened = FakeEventSource.of('databases.changes');
    if (!opened) throw new Error('Nobody listens');
    return opened;
  });
}

describe('the page of a database', () => {
  it('says what it is, how to reach it and how full it is', async () => {
    const { user } = renderPage(PATH, { databases: [DATABASE] });
    expect(await screen.findByRole('heading', { level: 1, name: 'orders' })).toBeDefined();
    expect(document.title).toContain('orders');
    const facts = within(screen.getByRole('list', { name: 'About the database' }));
    for (const fact of ['PostgreSQL 18.4', 'Region label: us-east-1', '10 GB'])
      expect(facts.getByText(fact)).toBeDefined();
    expect(screen.getByText('Available')).toBeDefined();

    await user.click(await screen.findByRole('button', { name: 'Show connection string' }));
    const text = await screen.findByText('postgresql://db_orders:••••••••@localhost:5433/db_orders');
    expect(text).toBeDefined();
    for (const part of ['host', 'port', 'database', 'user', 'password'])
      expect(screen.getByRole('button', { name: `Copy ${part}` })).toBeDefined();

    expect(await screen.findByText('postgresql://db_orders:••••••••@localhost:5434/db_orders')).toBeDefined();
    expect(await screen.findByText('7.00 MB')).toBeDefined();
    expect(screen.getByText(/of 10\.00 GB/)).toBeDefined();
    expect(bar('Storage')).toBe('0');
    expect(bar('Connections')).toBe('10');
    expect(screen.getByText(/of 20/)).toBeDefined();
  });

  it('says why there is no pooled address', async () => {
    const notPooled = 'PgBouncer is not installed.';
    const { user } = renderPage(PATH, { databases: [DATABASE], pooledConnectionString: null, notPooled });
    await user.click(await screen.findByRole('button', { name: 'Show connection string' }));
    expect(await screen.findByText(notPooled)).toBeDefined();
  });

  it('says why what is being done with it does not go on', async () => {
    const workError = 'The server that orders is to have does not start.';
    renderPage(PATH, { databases: [{ ...DATABASE, work: 'swapping', workError }] });
    expect((await screen.findByText(workError)).className).toContain('text-danger');
  });

  it('says whether its server sleeps, and when', async () => {
    const { user } = renderPage(PATH, { databases: [DATABASE] });
    expect(await screen.findByText('Asleep')).toBeDefined();
    await user.click(screen.getByRole('combobox', { name: 'Sleep after' }));
    await user.click(await screen.findByRole('option', { name: 'Never' }));
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Sleep after' }).textContent).toBe('Never'),
    );
  });

  describe('of a Redis database', () => {
    const redis = { ...DATABASE, type: 'redis', activity: null, version: '' } as const;

    async function openMemory(state: Parameters<typeof renderPage>[1] = {}) {
      const page = renderPage(PATH, { databases: [redis], ...state });
      await screen.findByRole('combobox', { name: 'Limit' });
      const form = within(screen.getByRole('combobox', { name: 'Limit' }).closest('form') as HTMLElement);
      return {
        ...page,
        form,
        choose: async (field: string, option: string) => {
          await page.user.click(form.getByRole('combobox', { name: field }));
          await page.user.click(await screen.findByRole('option', { name: option }));
        },
        save: () => page.user.click(form.getByRole('button', { name: 'Save' })),
      };
    }

    it('sets how much memory it may take, once that is saved', async () => {
      const { world, choose, save } = await openMemory();
      expect(await screen.findByText('In memory')).toBeDefined();
      expect(screen.queryByRole('spinbutton', { name: 'Storage (GB)' })).toBeNull();
      await choose('Limit', '1024 MB');
      expect(world.calls.some(({ path }) => path === 'databases.setMemory')).toBe(false);
      await save();
      await waitFor(() => expect(world.databaseMemory).toEqual({ limit: 1024, eviction: 'noeviction' }));
      expect(screen.queryByRole('alertdialog')).toBeNull();
    });

    it('says what holds of it where others are on its server', async () => {
      const message = 'This database shares a server with others.';
      renderPage(PATH, {
        databases: [redis],
        refusals: { 'databases.memory': { code: 'CONFLICT', reason: 'SHARED_SERVER', message } },
      });
      expect(await screen.findByText(message)).toBeDefined();
      expect(screen.queryByRole('combobox', { name: 'Limit' })).toBeNull();
      expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    });

    it('keeps what was saved before, though it was not read again', async () => {
      const { world, choose, save } = await openMemory({
        databaseMemory: { limit: 256, eviction: 'allkeys-lru' },
      });
      await screen.findByText('7.00 MB');
      world.delays['databases.memory'] = Promise.withResolvers<void>().promise;
      await choose('Limit', '1024 MB');
      await save();
      await waitFor(() => expect(world.databaseMemory.limit).toBe(1024));
      await waitFor(() => expect(shownToast()?.title).toBe('Saved'));
      await choose('When it is full', 'Remove keys that expire soonest');
      await save();
      await waitFor(() => expect(world.databaseMemory).toEqual({ limit: 1024, eviction: 'volatile-ttl' }));
    });

    it('asks before keys are removed, by what is used and by what happens when it is full', async () => {
      const databaseUsage = {
        size: 100 * 1024 ** 2,
        sizeLimit: 256 * 1024 ** 2,
        connections: 1,
        connectionLimit: 20,
      };
      const { user, world, choose, save } = await openMemory({ databaseUsage });
      await screen.findByText('100.00 MB');
      await choose('When it is full', 'Remove keys that expire soonest');
      await save();
      const question = within(await screen.findByRole('alertdialog', { name: 'Change the memory?' }));
      expect(question.getByText('Keys that do not fit are removed for good.')).toBeDefined();
      expect(world.databaseMemory.eviction).toBe('noeviction');
      await user.click(question.getByRole('button', { name: 'Change memory' }));
      await waitFor(() => expect(world.databaseMemory.eviction).toBe('volatile-ttl'));
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

      await choose('Limit', '128 MB');
      await save();
      await waitFor(() => expect(world.databaseMemory.limit).toBe(128));
      await choose('Limit', '64 MB');
      await save();
      const again = within(await screen.findByRole('alertdialog'));
      expect(again.getByText('Keys that do not fit are removed for good.')).toBeDefined();
      await user.click(again.getByRole('button', { name: 'Cancel' }));
      expect(world.databaseMemory.limit).toBe(128);
    });
  });

  it('says nothing of sleep where others share the server', async () => {
    renderPage(PATH, { databases: [{ ...DATABASE, activity: null, version: '' }] });
    expect(await screen.findByText('7.00 MB')).toBeDefined();
    expect(screen.queryByRole('combobox', { name: 'Sleep after' })).toBeNull();
  });

  it('says that the password was changed elsewhere, and has it reset', async () => {
    const { user } = renderPage(PATH, { databases: [{ ...DATABASE, passwordChanged: true }] });
    const title = 'The password was changed outside Nephos';
    const notice = within((await screen.findByText(title)).closest('[role]') as HTMLElement);
    expect(screen.getByText('Password changed')).toBeDefined();
    await user.click(notice.getByRole('button', { name: 'Reset password' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reset password' }));
    await user.click(dialog.getByRole('button', { name: 'Reset password' }));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    expect(shownToast()?.title).toBe('Password reset');
    expect(screen.getByText('Available')).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Show connection string' }));
    await user.click(await screen.findByRole('button', { name: 'Copy password' }));
    expect(await navigator.clipboard.readText()).toBe('rotated');
  });

  it('warns near a limit', async () => {
    const databaseUsage = {
      size: 9.5 * 1024 ** 3,
      sizeLimit: 10 * 1024 ** 3,
      connections: 20,
      connectionLimit: 20,
    };
    renderPage(PATH, { databases: [DATABASE], databaseUsage });
    expect(await screen.findByText('Close to the limit')).toBeDefined();
    expect(screen.getByText('Limit reached')).toBeDefined();
  });

  it('is made larger, and asks before its server restarts', async () => {
    const { user, world } = renderPage(PATH, { databases: [DATABASE] });
    const storage = await screen.findByRole('spinbutton', { name: 'Storage (GB)' });
    await user.clear(storage);
    await user.type(storage, '20');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(world.databases[0]?.storageSize).toBe(20));
    await user.click(screen.getByRole('combobox', { name: 'Class' }));
    await user.click(await screen.findByRole('option', { name: /^Medium: 1\.00 GB memory, 50 connections/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Restart the server?' }));
    expect(world.databases[0]?.sizeClass).toBe('small');
    await user.click(dialog.getByRole('button', { name: 'Restart' }));
    await waitFor(() => expect(world.databases[0]).toMatchObject({ sizeClass: 'medium', storageSize: 20 }));
  });

  it('says that it is full, and lets space be freed', async () => {
    const { user, world } = renderPage(PATH, { databases: [{ ...DATABASE, storageState: 'closed' }] });
    expect(await screen.findByText('The database takes no connections')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Free space' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Free space' })).toBeNull());
    expect(screen.getByText(/only making it larger helps/)).toBeDefined();
    expect(world.calls.some(({ path }) => path === 'databases.freeSpace')).toBe(true);
  });

  it('asks for the usage again when it is told to', async () => {
    const { user, world } = renderPage(PATH, { databases: [DATABASE] });
    await screen.findByText('7.00 MB');
    world.databaseUsage = { ...world.databaseUsage, size: 8 * 1024 ** 2 };
    await user.click(screen.getByRole('button', { name: 'Refresh usage' }));
    expect(await screen.findByText('8.00 MB')).toBeDefined();
  });

  it('stays useful while usage or connection cannot be had', async () => {
    const { user, world } = renderPage(PATH, {
      databases: [DATABASE],
      refusals: { 'databases.usage': BROKEN, 'databases.connection': { ...BROKEN, message: 'Later.' } },
    });
    expect(await screen.findByText('Service temporarily unavailable')).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Show connection string' }));
    expect(await screen.findByText('Later.')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'orders' })).toBeDefined();
    world.refusals = {};
    for (const again of screen.getAllByRole('button', { name: 'Try again' })) await user.click(again);
    expect(await screen.findByText('7.00 MB')).toBeDefined();
    expect(await screen.findByRole('button', { name: 'Reveal' })).toBeDefined();
  });

  it('is outlined while it loads, and not found for others', async () => {
    quiet();
    const loading = Promise.withResolvers<void>();
    renderPage(PATH, { delays: { 'databases.get': loading.promise } });
    expect(await screen.findByText('Loading the database')).toBeDefined();
    loading.resolve();
    expect(await screen.findByText("Not found, or you don't have access.")).toBeDefined();
  });

  it('says why it cannot be loaded', async () => {
    quiet();
    renderPage(PATH, { databases: [DATABASE], refusals: { 'databases.get': BROKEN } });
    expect(await screen.findByText('Service temporarily unavailable')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});

describe('the life of a database', () => {
  it('is followed: being created, then available', async () => {
    const { user, world } = renderPage(PATH, {
      databases: [mockDatabase({ status: 'creating', activity: null })],
    });
    expect(await screen.findByText(/Creating the database/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Reset password' })).toBeNull();
    expect(await screen.findByRole('spinbutton', { name: 'Storage (GB)' })).toBeDefined();
    expect(screen.queryByText(/does not enforce/)).toBeNull();
    const stream = await openStream();
    world.databases = [DATABASE];
    act(() => {
      stream.connect();
      stream.send('1', { id: DATABASE.id, database: DATABASE });
    });
    await user.click(await screen.findByRole('button', { name: 'Show connection string' }));
    expect(await screen.findByRole('button', { name: 'Reveal' })).toBeDefined();
    expect(await screen.findByText('7.00 MB')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Reset password' })).toBeDefined();
  });
});

describe('a swap', () => {
  it('is over: what is shown is asked for again', async () => {
    const swapping = { ...DATABASE, work: 'swapping' } as const;
    const { world } = renderPage(PATH, { databases: [swapping] });
    expect(await screen.findByText('No further users.')).toBeDefined();
    expect(await screen.findByText('7.00 MB')).toBeDefined();
    const stream = await openStream();
    world.databaseUsage = { ...world.databaseUsage, size: 8 * 1024 ** 2 };
    world.databaseUsers = [
      { id: idOf(903), name: 'reporting', access: 'read', createdAt: DATABASE.createdAt },
    ];
    world.databases = [DATABASE];
    act(() => stream.send('1', { id: DATABASE.id, database: DATABASE }));
    expect(await screen.findByText('8.00 MB')).toBeDefined();
    expect(await screen.findByText('reporting')).toBeDefined();
  });
});

describe('rotating the password', () => {
  async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage(PATH, { databases: [DATABASE], ...state });
    await page.user.click(await screen.findByRole('button', { name: 'Reset password' }));
    return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'Reset password' })) };
  }

  it('can be left alone', async () => {
    const { user, dialog, world } = await openDialog();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(dialog).toBeDefined();
    expect(world.calls.some(({ path }) => path === 'databases.rotatePassword')).toBe(false);
  });

  it('says why it did not work', async () => {
    const { user, dialog } = await openDialog({ refusals: { 'databases.rotatePassword': BROKEN } });
    await user.click(dialog.getByRole('button', { name: 'Reset password' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Service temporarily unavailable');
    expect(shownToast()).toMatchObject({ title: 'Error', description: 'Service temporarily unavailable' });
  });
});

describe('deleting', () => {
  it('does not show a page that is gone on the way', async () => {
    const answered = Promise.withResolvers<void>();
    const { user, world } = renderPage(PATH, {
      databases: [DATABASE],
      delays: { 'databases.remove': answered.promise },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete database?' }));
    await user.type(dialog.getByRole('textbox'), 'orders');
    await user.click(dialog.getByRole('button', { name: 'Delete database' }));
    const stream = await openStream();
    const asked = world.calls.filter(({ path }) => path === 'databases.get').length;
    act(() => stream.send('1', { id: DATABASE.id, database: null }));
    expect(screen.getByRole('alertdialog', { name: 'Delete database?' })).toBeDefined();
    answered.resolve();
    expect(await screen.findByText('No databases yet')).toBeDefined();
    expect(world.calls.filter(({ path }) => path === 'databases.get')).toHaveLength(asked);
  });

  it('says why it did not work', async () => {
    const { user } = renderPage(PATH, { databases: [DATABASE], refusals: { 'databases.remove': BROKEN } });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.type(await screen.findByRole('textbox'), 'orders{Enter}');
    await waitFor(() => expect(shownToast()?.description).toBe('Service temporarily unavailable'));
    const dialog = within(screen.getByRole('alertdialog', { name: 'Delete database?' }));
    expect(dialog.getByRole('alert').textContent).toBe('Service temporarily unavailable');
  });
});
