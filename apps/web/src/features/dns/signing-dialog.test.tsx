import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockZoneKey } from '../../test/mock-dns.ts';
import { mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

async function openSigning(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/dns?domain=example.test', { records: [mockRecord()], ...state });
  await page.user.click(await screen.findByRole('button', { name: 'DNSSEC' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'DNSSEC' }));
  return { ...page, dialog };
}

it('signs a domain, and says what to enter at the registrar', async () => {
  const { user, dialog } = await openSigning();
  await user.click(await dialog.findByRole('button', { name: 'Sign this domain' }));
  const key = within(await dialog.findByRole('region', { name: 'Current key 1001' }));
  expect(key.getByText('1001 13 2 AB1001')).toBeDefined();
  expect(key.getByText('257 3 13 key1001')).toBeDefined();
  expect(await key.findByText('No DS record seen')).toBeDefined();
  expect(dialog.getByText('Add this DS record at your registrar')).toBeDefined();
  expect(shownToast()?.title).toBe('Domain signed');
});

it('looks again, and warns of DS records of other keys', async () => {
  const { user, dialog, world } = await openSigning({ zoneKeys: [mockZoneKey(1001)] });
  await dialog.findByText('Add this DS record at your registrar');
  world.parentDelegation = { known: true, keyTags: [1001], others: 0 };
  await user.click(dialog.getByRole('button', { name: 'Check again' }));
  expect(await dialog.findByText('DS record seen')).toBeDefined();
  expect(dialog.queryByRole('note')).toBeNull();
  world.parentDelegation = { known: true, keyTags: [1001], others: 1 };
  await user.click(dialog.getByRole('button', { name: 'Check again' }));
  expect(await dialog.findByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('DS record of another key'),
  );
  world.parentDelegation = { known: false, keyTags: [], others: 0 };
  await user.click(dialog.getByRole('button', { name: 'Check again' }));
  expect(await dialog.findByText("Resolvers couldn't be asked for the DS records.")).toBeDefined();
});

it('replaces a key in two steps', async () => {
  const parentDelegation = { known: true, keyTags: [1001], others: 0 };
  const { user, dialog, world } = await openSigning({ zoneKeys: [mockZoneKey(1001)], parentDelegation });
  await user.click(await dialog.findByRole('button', { name: 'Roll key' }));
  const incoming = within(await dialog.findByRole('region', { name: 'New key 1002' }));
  expect(incoming.getByText(/^Can sign from .*2026/)).toBeDefined();
  expect(dialog.getByText('Add the DS record of the new key at your registrar')).toBeDefined();
  world.refusals = {
    'dns.finishRoll': { code: 'CONFLICT', reason: 'DS_MISSING', message: 'Not there yet.' },
  };
  await user.click(dialog.getByRole('button', { name: 'Use new key' }));
  await waitFor(() => expect(shownToast()?.description).toBe('Not there yet.'));
  world.refusals = {};
  await user.click(dialog.getByRole('button', { name: 'Use new key' }));
  const former = within(await dialog.findByRole('region', { name: 'Former key 1001' }));
  expect(former.getByText(/Remove its DS record at your registrar\.$/)).toBeDefined();
  expect(dialog.queryByRole('button', { name: /Roll key|Use new key/ })).toBeNull();
});

it('can be left with the key that it has, once a new one was announced', async () => {
  const keys = [
    mockZoneKey(1001),
    mockZoneKey(1002, { state: 'incoming', until: '2026-02-03T10:00:00.000Z' }),
  ];
  const { user, dialog } = await openSigning({ zoneKeys: keys });
  await user.click(await dialog.findByRole('button', { name: 'Cancel roll' }));
  await waitFor(() => expect(dialog.queryByRole('region', { name: 'New key 1002' })).toBeNull());
  expect(await dialog.findByRole('button', { name: 'Roll key' })).toBeDefined();
});

it('is turned off, and asks once more while resolvers know the DS record', async () => {
  const { user, dialog, world } = await openSigning({ zoneKeys: [mockZoneKey(1001)] });
  await user.click(await dialog.findByRole('button', { name: 'Turn off' }));
  const asking = within(await screen.findByRole('alertdialog', { name: 'Turn DNSSEC off?' }));
  world.refusals = { 'dns.unsign': { code: 'CONFLICT', reason: 'DS_PUBLISHED', message: 'Still there.' } };
  await user.click(asking.getByRole('button', { name: 'Turn off' }));
  expect((await asking.findByRole('alert')).textContent).toBe('Still there.');
  world.refusals = {};
  await user.click(asking.getByRole('button', { name: 'Turn off anyway' }));
  expect(await dialog.findByRole('button', { name: 'Sign this domain' })).toBeDefined();
  expect(world.calls.filter(({ path }) => path === 'dns.unsign').map(({ input }) => input)).toEqual([
    { domain: 'example.test', anyway: true },
  ]);
});

it('says that it could not be loaded', async () => {
  const refusals = {
    'dns.signing': { code: 'CONFLICT', reason: 'X', message: 'No.' } as const,
  };
  const { dialog } = await openSigning({ refusals });
  expect(await dialog.findByText("Couldn't load the DNSSEC settings.")).toBeDefined();
});

it('is not offered for a domain that is not served', async () => {
  renderPage('/dns?domain=example.test', { records: [mockRecord()], pendingDomains: ['example.test'] });
  await screen.findByRole('button', { name: 'Import' });
  expect(screen.queryByRole('button', { name: 'DNSSEC' })).toBeNull();
});
