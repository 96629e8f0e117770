import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { mockRecord, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { dismissToast } from '../../ui/toast.ts';
import { BROKEN, FULL_STACK, INSTALLED } from './marketplace-fixtures.ts';

mockApi();
beforeEach(() => dismissToast());

const NAME = FULL_STACK.name;

async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/marketplace', { items: [FULL_STACK], installations: [INSTALLED], ...state });
  await page.user.click(await screen.findByRole('button', { name: `Uninstall ${NAME}` }));
  const dialog = within(await screen.findByRole('alertdialog', { name: `Uninstall ${NAME}?` }));
  return { ...page, dialog, confirm: dialog.getByRole<HTMLButtonElement>('button', { name: 'Uninstall' }) };
}

describe('uninstalling', () => {
  it('can leave what holds data', async () => {
    const { user, dialog, world } = await openDialog();
    await user.click(await dialog.findByRole('switch', { name: 'Keep data' }));
    const rows = within(dialog.getByRole('list', { name: 'What is removed' })).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['notesDatabaseKept', 'NotesProjectDeleted']);
    await user.type(dialog.getByRole('textbox'), `${NAME}{Enter}`);
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Item uninstalled successfully' }));
    expect(world.calls.find(({ path }) => path === 'marketplace.uninstall')?.input).toEqual({
      id: FULL_STACK.id,
      keepData: true,
      deleteRecords: false,
    });
  });

  it('shows the DNS records that lead to the app, which go along unless that is not wanted', async () => {
    const record = mockRecord({
      domain: 'example.com',
      name: 'notes',
      recordType: 'CNAME',
      value: 'notes.test',
    });
    const { user, dialog, world } = await openDialog({ leadingRecords: [record] });
    expect(await dialog.findByText('notes.example.com CNAME notes.test')).toBeDefined();
    const too = dialog.getByRole('switch', { name: 'Delete these records too' });
    await user.click(too);
    await user.click(too);
    await user.type(dialog.getByRole('textbox'), `${NAME}{Enter}`);
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Item uninstalled successfully' }));
    expect(world.calls.find(({ path }) => path === 'marketplace.uninstall')?.input).toMatchObject({
      deleteRecords: true,
    });
  });

  it('says what a kept app can do no longer', async () => {
    const receipt = INSTALLED.receipt.map((entry) => ({ ...entry, holdsData: true }));
    const { dialog } = await openDialog({ installations: [{ ...INSTALLED, receipt }] });
    expect(await dialog.findByText(/stays as a project in its present version/)).toBeDefined();
  });

  it('does not speak of data where there is none', async () => {
    const receipt = INSTALLED.receipt.filter(({ holdsData }) => !holdsData);
    const { dialog } = await openDialog({ installations: [{ ...INSTALLED, receipt }] });
    await dialog.findByRole('list', { name: 'What is removed' });
    expect(dialog.queryByRole('switch')).toBeNull();
  });

  it('fails with the specified words, and says in the dialog why', async () => {
    const { user, dialog } = await openDialog({ refusals: { 'marketplace.uninstall': BROKEN } });
    await user.type(dialog.getByRole('textbox'), `${NAME}{Enter}`);
    expect((await dialog.findByRole('alert')).textContent).toBe('Service temporarily unavailable');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to uninstall item',
      variant: 'destructive',
    });
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: `Uninstall ${NAME}` }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is offered when the trial has ended, and while it is being installed', async () => {
    const user = mockUser({ trialActive: false, trialEndDate: '2026-11-01T00:00:00.000Z' });
    const installing = { ...INSTALLED, status: 'installing' as const };
    const { dialog } = await openDialog({ user, installations: [installing] });
    expect(dialog.getByText(/removed permanently/)).toBeDefined();
    expect(screen.getByText('Subscription Required')).toBeDefined();
  });
});
