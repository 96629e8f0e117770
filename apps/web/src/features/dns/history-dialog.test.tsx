import type { DnsChange } from '@nephos/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf, mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const A = { name: 'www', recordType: 'A', ttl: 300, value: '192.0.2.1' } as const;
const CHANGE: DnsChange = {
  id: idOf(2001),
  domain: 'example.test',
  kind: 'import',
  serial: 7,
  by: 'ada@example.test',
  createdAt: '2026-02-03T10:00:00.000Z',
  added: [A],
  addedCount: 61,
  removed: [{ ...A, value: '192.0.2.2' }],
  removedCount: 1,
};

async function openHistory(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/dns?domain=example.test', { records: [mockRecord()], ...state });
  await page.user.click(await screen.findByRole('button', { name: 'History' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'History' }));
  return { ...page, dialog };
}

it('shows what each change removed and added, and by whom', async () => {
  const { user, dialog, world } = await openHistory({ dnsChanges: [CHANGE] });
  const change = await dialog.findByRole('listitem');
  expect(change.textContent).toMatch(/^Imported example\.test .*2026.*, by ada@example\.testRevert/);
  expect(change.querySelector('pre')?.textContent).toBe(
    '− www 300 A 192.0.2.2+ www 300 A 192.0.2.1and 60 more',
  );
  expect(world.calls.find(({ path }) => path === 'dns.changes')?.input).toMatchObject({
    domain: 'example.test',
  });
  await user.click(within(change).getByRole('button', { name: 'Revert' }));
  const asking = within(await screen.findByRole('alertdialog', { name: 'Revert this change?' }));
  world.refusals = {
    'dns.revertChange': { code: 'CONFLICT', reason: 'NOTHING_TO_REVERT', message: 'Nothing is left.' },
  };
  await user.click(asking.getByRole('button', { name: 'Revert change' }));
  expect((await asking.findByRole('alert')).textContent).toBe('Nothing is left.');
  world.refusals = {};
  await user.click(asking.getByRole('button', { name: 'Revert change' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(shownToast()?.title).toBe('Change reverted');
  expect(world.calls.find(({ path }) => path === 'dns.revertChange')?.input).toEqual({ id: CHANGE.id });
});

it('is looked at anew after each change of records', async () => {
  const importPlan = { serial: 7, added: [A], removed: [], changed: [], unchanged: 0, refused: [] };
  const { user, world } = await openHistory({ importPlan });
  const looks = () => world.calls.filter(({ path }) => path === 'dns.changes').length;
  await waitFor(() => expect(looks()).toBe(1));
  const closed = async () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('{Escape}');
  await closed();
  const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
  const save = {
    add: async () => {
      await press('Add Record');
      await user.type(await screen.findByLabelText('Value'), '192.0.2.9');
      await press('Add');
    },
    edit: async () => {
      const [edit] = await screen.findAllByRole('button', { name: /^Edit / });
      if (edit) await user.click(edit);
      await user.type(await screen.findByLabelText('Value'), '1');
      await press('Save');
    },
    delete: async () => {
      const [remove] = await screen.findAllByRole('button', { name: /^Delete / });
      if (remove) await user.click(remove);
      await press('Delete record');
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    },
    import: async () => {
      await press('Import');
      await user.type(await screen.findByLabelText('Zone file'), 'x');
      await press('Preview');
      await press('Import 1 change');
    },
  };
  for (const [what, change] of Object.entries(save)) {
    const before = looks();
    await change();
    await closed();
    await press('History');
    await screen.findByText('No changes yet');
    await waitFor(() => expect([what, looks()]).toEqual([what, before + 1]));
    await user.keyboard('{Escape}');
    await closed();
  }
});

it('says why records changed that nobody changed', async () => {
  const { dialog } = await openHistory({ dnsChanges: [{ ...CHANGE, kind: 'follow', by: null }] });
  const change = await dialog.findByRole('listitem');
  expect(change.textContent).toMatch(/^Updated example\.test .*, because an app's address changedRevert/);
});

it('says that there are none', async () => {
  const { dialog } = await openHistory();
  expect(await dialog.findByText('No changes yet')).toBeDefined();
});
