import type { DnsImportPlan } from '@nephos/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const A = { name: 'www', recordType: 'A', ttl: 300, value: '192.0.2.1' } as const;
const PLAN: DnsImportPlan = {
  serial: 7,
  added: [A],
  removed: [{ ...A, name: 'old' }],
  changed: [{ ...A, name: 'same', formerTtl: 3600 }],
  unchanged: 4,
  refused: [{ line: 3, text: '$INCLUDE x', reason: "$INCLUDE isn't supported." }],
};

async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/dns?domain=example.test', {
    records: [mockRecord()],
    importPlan: PLAN,
    ...state,
  });
  await page.user.click(await screen.findByRole('button', { name: 'Import' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import a zone file' }));
  return { ...page, dialog };
}

it('shows what a file would change before it is imported, and forgets that with another file', async () => {
  const { user, dialog, world } = await openDialog();
  expect(dialog.getByLabelText<HTMLInputElement>('Domain').value).toBe('example.test');
  const file = new File(['www A 192.0.2.1'], 'example.test.zone');
  await user.upload(dialog.getByLabelText('Choose a file'), file);
  const area = dialog.getByLabelText<HTMLTextAreaElement>('Zone file');
  await waitFor(() => expect(area.value).toBe('www A 192.0.2.1'));
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  const preview = within(await dialog.findByRole('region', { name: 'Preview' }));
  expect(preview.getByRole('status').textContent).toBe(
    '1 added, 1 changed, 1 removed, 4 unchanged. 1 line is left out.',
  );
  expect(preview.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    "Line 3: $INCLUDE x$INCLUDE isn't supported.",
    '+ www 300 A 192.0.2.1',
    '~ same 300 A 192.0.2.1 (TTL was 3600)',
    '− old 300 A 192.0.2.1',
  ]);
  await user.type(area, ';');
  expect(dialog.queryByRole('region', { name: 'Preview' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  await user.click(await dialog.findByRole('button', { name: 'Import 3 changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(shownToast()?.title).toBe('Zone file imported');
  expect(world.calls.find(({ path }) => path === 'dns.importZone')?.input).toEqual({
    domain: 'example.test',
    file: 'www A 192.0.2.1;',
    mode: 'merge',
    serial: 7,
  });
});

it('says what is wrong at its field, and imports nothing where nothing changes', async () => {
  const message = 'Enter a domain with at least two parts, like example.com.';
  const { user, dialog, world } = await openDialog({
    importPlan: { ...PLAN, added: [], removed: [], changed: [] },
    refusals: {
      'dns.planImport': {
        code: 'BAD_REQUEST',
        reason: 'VALIDATION',
        message,
        fields: [{ path: 'domain', message }],
      },
    },
  });
  await user.type(dialog.getByLabelText('Zone file'), 'x');
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  expect(dialog.getByLabelText('Domain').getAttribute('aria-invalid')).toBe('true');
  world.refusals = {};
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  expect(await dialog.findByText(/There is nothing to import\./)).toBeDefined();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Import 0 changes' }).disabled).toBe(true);
});

it('links to the file of the domain that is shown', async () => {
  renderPage('/dns', { records: [mockRecord()] });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Export' });
  expect(link.getAttribute('href')).toBe('/api/dns-zones/example.test/zone-file');
});
