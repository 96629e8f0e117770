import type { DatabaseBackup } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idOf, mockDatabase, mockFile } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();
afterEach(() => {
  vi.unstubAllEnvs();
});

const DATABASE = mockDatabase();
const PATH = `/databases/${DATABASE.id}/backups`;
const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

const TOO_LONG = 'Days must be a whole number from 1 to 30.';
const at = '2026-11-24T03:00:00.000Z';
const FAILED: DatabaseBackup = {
  id: idOf(802),
  status: 'failed',
  error: 'The store has no room left.',
  size: 0,
  startedAt: at,
  endedAt: at,
  proof: null,
};

function button(name: string) {
  return screen.findByRole<HTMLButtonElement>('button', { name });
}

describe('the backups of a database', () => {
  it('say what can be restored, what it takes and whether it was proved', async () => {
    const detail = '3 tables and 41 rows were compared.';
    renderPage(PATH, {
      databases: [DATABASE],
      databasePast: { lastProof: { at, succeeded: true, detail } },
    });
    expect(await screen.findByText('Any moment from')).toBeDefined();
    expect(screen.getByText('11.44 MB')).toBeDefined();
    expect(screen.getByText(detail)).toBeDefined();
    const list = screen.getByRole('region', { name: 'Backups' });
    expect(within(list).getByText('Done')).toBeDefined();
    expect(within(list).getByText('1.91 MB')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Backups' }).getAttribute('aria-current')).toBe('page');
  });

  it('go on where the storage is full, and say so', async () => {
    const files = [mockFile({ fileSize: PLANS.starter.storage })];
    renderPage(PATH, { databases: [DATABASE], files });
    const notice = (await screen.findByText('Storage is full')).parentElement?.parentElement;
    expect(notice?.textContent).toContain(
      '10.00 GB of 10.00 GB are in use on the Starter plan (trial). Backups go on,',
    );
    expect(notice?.textContent).toContain('Delete files, images or databases, or upgrade your plan.');
  });

  it('say in red why a backup or a proof failed', async () => {
    const detail = 'The index people_pkey is damaged.';
    renderPage(PATH, {
      databases: [DATABASE],
      databasePast: { backups: [FAILED], lastProof: { at, succeeded: false, detail } },
    });
    expect((await screen.findByText(detail)).className).toContain('text-danger');
    expect(screen.getByText(FAILED.error).className).toContain('text-danger');
    expect(screen.queryByRole('button', { name: 'Prove now' })).toBeNull();
  });

  it('are begun by hand, and show that they run', async () => {
    const { user } = renderPage(PATH, { databases: [DATABASE] });
    await user.click(await button('Back up now'));
    const list = within(screen.getByRole('region', { name: 'Backups' }));
    expect(await list.findByText('Running')).toBeDefined();
    await user.click(await button('Prove now'));
    expect(await screen.findByText('Restoring the latest backup on trial')).toBeDefined();
  });

  it('keep what was set, and say what is wrong with it', async () => {
    const { user, world } = renderPage(PATH, { databases: [DATABASE] });
    const days = await screen.findByLabelText('Keep for (days)');
    expect((await button('Save')).disabled).toBe(true);
    world.refusals = {
      'databaseBackups.update': {
        code: 'BAD_REQUEST',
        reason: 'INVALID',
        message: 'Invalid input',
        fields: [{ path: 'keepDays', message: TOO_LONG }],
      },
    };
    await user.clear(days);
    await user.type(days, '31');
    await user.click(await button('Save'));
    expect(await screen.findByText(TOO_LONG)).toBeDefined();
    world.refusals = {};
    await user.clear(days);
    await user.type(days, '14');
    await user.click(await button('Save'));
    await waitFor(() => expect(shownToast()?.title).toBe('Saved'));
    expect(world.databasePast).toMatchObject({ keepDays: 14, hour: 2 });
  });

  it('are told not to be kept, and why', async () => {
    const unavailable = "This server's databases are not backed up by Nephos. Back them up where it runs.";
    renderPage(PATH, { databases: [DATABASE], databasePast: { unavailable } });
    expect(await screen.findByText(unavailable)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull();
  });

  it('are none at first, load, and may not be had', async () => {
    const loading = Promise.withResolvers<void>();
    const { user, world } = renderPage(PATH, {
      databases: [DATABASE],
      databasePast: { backups: [], from: null, until: null },
      delays: { 'databaseBackups.get': loading.promise },
      refusals: { 'databaseBackups.get': BROKEN },
    });
    expect(await screen.findByText('Loading the backups')).toBeDefined();
    loading.resolve();
    const again = await button('Try again');
    expect(screen.getByText(BROKEN.message)).toBeDefined();
    world.refusals = {};
    await user.click(again);
    expect(await screen.findByText('No backups yet')).toBeDefined();
    expect((await button('Restore…')).getAttribute('aria-description')).toContain('first backup');
  });
});

describe('bringing a database back', () => {
  it('as of a moment, which has to be kept', async () => {
    const { user, world, router } = renderPage(PATH, { databases: [DATABASE] });
    await user.click(await button('Restore…'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore database' }));
    const moment = await dialog.findByLabelText(/Date and time/);
    fireEvent.change(moment, { target: { value: '2020-01-01T00:00:00' } });
    expect(dialog.getByText(/Choose a moment that is kept/)).toBeDefined();
    const restore = dialog.getByRole<HTMLButtonElement>('button', { name: 'Restore' });
    expect(restore.disabled).toBe(true);
    fireEvent.change(moment, { target: { value: '2026-11-20T12:30:15' } });
    await user.click(restore);
    expect(await screen.findByRole('heading', { level: 1, name: 'orders-restored' })).toBeDefined();
    expect(world.databases[0]).toMatchObject({ name: 'orders-restored', work: 'restoring' });
    expect(await screen.findByRole('progressbar', { name: 'Restoring' })).toBeDefined();
    expect(screen.queryByText(/in a few seconds/)).toBeNull();
    await user.click(await button('Cancel and delete orders-restored'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/databases'));
    expect(await screen.findByRole('link', { name: 'orders' })).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'orders-restored' })).toBeNull());
    expect(screen.queryByText("Not found, or you don't have access.")).toBeNull();
  });

  it('as of a moment where the clocks change, whichever of two it is', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const until = '2026-10-25T01:30:15.700Z';
    const { user, world } = renderPage(PATH, {
      databases: [DATABASE],
      databasePast: { from: '2026-03-01T00:00:00.000Z', until },
    });
    await user.click(await button('Restore…'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore database' }));
    const moment = await dialog.findByLabelText<HTMLInputElement>(/Date and time/);
    expect(moment.value).toBe('2026-10-25T02:30:15');
    const which = () => dialog.queryByRole('combobox', { name: 'First or second' });
    expect(which()?.textContent).toBe('Second (UTC+01:00)');
    expect(dialog.getByText(/Chosen: 2026-10-25 01:30:15 UTC/)).toBeDefined();

    fireEvent.change(moment, { target: { value: '2026-03-29T02:30:00' } });
    expect(dialog.getByText(/skip this time/)).toBeDefined();
    const restore = dialog.getByRole<HTMLButtonElement>('button', { name: 'Restore' });
    expect(restore.disabled).toBe(true);
    expect(which()).toBeNull();

    fireEvent.change(moment, { target: { value: '2026-10-25T02:30:15' } });
    await user.click(dialog.getByRole('combobox', { name: 'First or second' }));
    await user.click(await screen.findByRole('option', { name: 'First (UTC+02:00)' }));
    expect(dialog.getByText(/Chosen: 2026-10-25 00:30:15 UTC/)).toBeDefined();
    await user.click(dialog.getByRole('combobox', { name: 'First or second' }));
    await user.click(await screen.findByRole('option', { name: 'Second (UTC+01:00)' }));
    await user.click(restore);
    await screen.findByRole('heading', { level: 1, name: 'orders-restored' });
    expect(world.calls.find(({ path }) => path === 'databaseBackups.restore')?.input).toMatchObject({
      at: until,
    });
  });

  it('as of a backup, where only those are kept', async () => {
    const { user, world } = renderPage(PATH, {
      databases: [{ ...DATABASE, type: 'mysql', activity: null }],
      databasePast: { kind: 'backup' },
    });
    await user.click(await button('Restore…'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore database' }));
    expect(await dialog.findByRole('combobox', { name: 'Backup' })).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(world.databases).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Swap…' })).toBeNull();
  });

  it('as a copy of now, which takes no backup where moments are not kept', async () => {
    renderPage(PATH, {
      databases: [{ ...DATABASE, type: 'mysql', activity: null }],
      databasePast: { kind: 'backup', backups: [], from: null, until: null },
    });
    expect((await button('Restore…')).getAttribute('aria-description')).toContain('first backup');
    expect((await button('Copy…')).getAttribute('aria-description')).toBeNull();
  });

  it('as a copy of now', async () => {
    const { user, world } = renderPage(PATH, { databases: [DATABASE] });
    await user.click(await button('Copy…'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Copy database' }));
    const name = await dialog.findByLabelText('Name of the new database');
    await user.clear(name);
    await user.type(name, 'trial');
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'trial' })).toBeDefined();
    expect(world.databases).toHaveLength(2);
  });

  it('by letting another one change places with it', async () => {
    const other = mockDatabase({ id: idOf(902), name: 'orders-restored' });
    const { user } = renderPage(PATH, { databases: [DATABASE, other] });
    await user.click(await button('Swap…'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Swap databases' }));
    expect(
      await dialog.findByText(/The contents and the backups of orders and orders-restored/),
    ).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Swap' }));
    await waitFor(() => expect(shownToast()?.title).toBe('The databases are changing places'));
  });

  it('with nothing to swap with, says so', async () => {
    const { user } = renderPage(PATH, { databases: [DATABASE] });
    await user.click(await button('Swap…'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Swap databases' }));
    expect(await dialog.findByText('There is no other database to swap with.')).toBeDefined();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Swap' }).disabled).toBe(true);
  });
});
