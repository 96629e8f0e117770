import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { MOCK_PROOF } from '../../test/mock-dns.ts';
import { idOf, mockRecord, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const APEX = mockRecord({ id: idOf(1002) });
const WWW = mockRecord({ id: idOf(1003), name: 'www', recordType: 'CNAME', value: 'example.test', ttl: 60 });
const MAIL = mockRecord({
  id: idOf(1004),
  domain: 'other.test',
  recordType: 'MX',
  value: '10 mx.other.test',
});

function rowsOf(table: HTMLElement): string[][] {
  const [, ...rows] = within(table).getAllByRole('row');
  return rows
    .map((row) => within(row).getAllByRole('cell').slice(0, 5))
    .map((cells) => cells.map((cell) => cell.textContent ?? ''));
}

function table() {
  return screen.findByRole('table', { name: 'DNS records' });
}

describe('the DNS page', () => {
  it('shows the table’s skeleton while the records load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/dns', { delays: { 'dns.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-row')).toHaveLength(3);
    expect(screen.getByRole('columnheader', { name: 'Domain' })).toBeDefined();
    loading.resolve();
    await screen.findByText('No DNS records yet');
    expect(screen.queryAllByTestId('skeleton-row')).toHaveLength(0);
  });

  it('leads to the login page when the session is over', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    renderPage('/dns', { refusals: { 'dns.list': UNAUTHORIZED } });
    expect(await left.promise).toBe('/api/login?returnTo=%2Fdns');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized', variant: 'destructive' });
  });

  it('has a column for each part of a record', async () => {
    renderPage('/dns', { records: [MAIL, WWW, APEX] });
    const shown = await table();
    expect(
      within(shown)
        .getAllByRole('columnheader')
        .map((heading) => heading.textContent),
    ).toEqual(['Domain', 'Type', 'Name', 'Value', 'TTL', 'Actions']);
    expect(rowsOf(shown)).toEqual([
      ['other.test', 'MX', '@other.test', '10 mx.other.test', '3600s'],
      ['example.test', 'CNAME', 'wwwexample.test', 'example.test', '60s'],
      ['example.test', 'A', '@example.test', '192.0.2.1', '3600s'],
    ]);
  });

  it('shows cards with the same facts where the window is narrow', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(328);
    const { user } = renderPage('/dns', { records: [WWW] });
    const list = within(await screen.findByRole('list', { name: 'DNS records' }));
    expect(list.getAllByRole('definition').map((fact) => fact.textContent)).toEqual([
      'CNAME',
      'wwwexample.test',
      '60s',
      'example.test',
      'example.test',
    ]);
    await user.click(list.getByRole('button', { name: 'Check CNAME www.example.test' }));
    expect(await list.findByText('Served in 3 ms')).toBeDefined();
  });
});

describe('the filter by domain', () => {
  it('is read from the address, whose other parts it leaves', async () => {
    const { user, router } = renderPage('/dns?domain=EXAMPLE.test', { records: [MAIL, WWW, APEX] });
    expect(rowsOf(await table())).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Add Record' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Record' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Domain').value).toBe('example.test');
    expect(router.state.location.search).toEqual({ domain: 'example.test', new: 1 });
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ domain: 'example.test' }));
  });

  it('says when a domain has nothing, and leads back to all', async () => {
    const { user } = renderPage('/dns?domain=empty.test', { records: [APEX] });
    expect(await screen.findByRole('heading', { name: 'No records in this domain' })).toBeDefined();
    expect(screen.getByRole('combobox', { name: 'Domain' }).textContent).toBe('empty.test');
    await user.click(screen.getByRole('button', { name: 'Show all domains' }));
    expect(rowsOf(await table())).toHaveLength(1);
  });

  it('is not what is no domain', async () => {
    const { world } = renderPage('/dns?domain=nonsense', { records: [APEX] });
    expect(rowsOf(await table())).toHaveLength(1);
    expect(world.calls.find(({ path }) => path === 'dns.list')?.input).toEqual({
      limit: 60,
      direction: 'forward',
    });
  });
});

describe('a pending domain', () => {
  it('shows the TXT record that proves it, and looks for it', async () => {
    const { user, world } = renderPage('/dns', { records: [APEX], pendingDomains: ['example.test'] });
    expect(await screen.findByText('_cloud-verify.example.test')).toBeDefined();
    expect(screen.getByText(MOCK_PROOF)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy the TXT record name for example.test' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy the TXT record value for example.test' })).toBeDefined();

    await user.click(screen.getByRole('button', { name: 'Verify example.test' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^TXT record not found yet\./);

    world.refusals['dns.verify'] = { code: 'CONFLICT', reason: 'RESOLVER', message: 'No resolver answered.' };
    await user.click(screen.getByRole('button', { name: 'Verify example.test' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('No resolver answered.'));

    world.refusals = {};
    world.proofSeen = true;
    await user.click(screen.getByRole('button', { name: 'Verify example.test' }));
    await waitFor(() => expect(screen.queryByText(MOCK_PROOF)).toBeNull());
    expect(shownToast()?.title).toBe('Domain verified');
  });
});

describe('a domain whose proof is gone', () => {
  it('says since when, what that means, and how to prove it again', async () => {
    const { user, world } = renderPage('/dns', { records: [APEX], unprovenDomains: ['example.test'] });
    expect(await screen.findByText(/^Verify again that you own/)).toBeDefined();
    expect(screen.getByText(/2026, the domain has neither .* still served, but whoever else/)).toBeDefined();
    expect(screen.getByText('_cloud-verify.example.test')).toBeDefined();
    world.proofSeen = true;
    await user.click(screen.getByRole('button', { name: 'Verify example.test' }));
    await waitFor(() => expect(screen.queryByText(MOCK_PROOF)).toBeNull());
  });
});
