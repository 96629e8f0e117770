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
const FAILED = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'It broke.' } as const;

function rowsOf(table: HTMLElement): string[][] {
  const [, body] = within(table).getAllByRole('rowgroup');
  if (!body) throw new Error('The table has no body');
  return within(body)
    .getAllByRole('row')
    .map((row) => within(row).getAllByRole('cell').slice(0, 5))
    .map((cells) => cells.map((cell) => cell.textContent ?? ''));
}

function table() {
  return screen.findByRole('table', { name: 'DNS records' });
}

describe('the DNS page', () => {
  it('offers the first step while there is nothing', async () => {
    const { user } = renderPage('/dns');
    expect(await screen.findByRole('heading', { name: 'No DNS records yet' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'DNS Management' })).toBeDefined();
    expect(screen.queryByRole('combobox', { name: 'Domain' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add your first record' }));
    expect(await screen.findByRole('dialog', { name: 'Add Record' })).toBeDefined();
  });

  it('shows the table’s skeleton while the records load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/dns', { delays: { 'dns.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-row')).toHaveLength(3);
    expect(screen.getByRole('columnheader', { name: 'Domain' })).toBeDefined();
    loading.resolve();
    await screen.findByText('No DNS records yet');
    expect(screen.queryAllByTestId('skeleton-row')).toHaveLength(0);
  });

  it('says that it could not be loaded, and tries again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, world } = renderPage('/dns', { records: [APEX], refusals: { 'dns.list': FAILED } });
    expect(await screen.findByText('This page could not be loaded')).toBeDefined();
    expect(screen.getByText('It broke.')).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await table()).toBeDefined();
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

  it('has the columns of the specification', async () => {
    renderPage('/dns', { records: [MAIL, WWW, APEX] });
    const shown = await table();
    expect(
      within(shown)
        .getAllByRole('columnheader')
        .map((heading) => heading.textContent),
    ).toEqual(['Domain', 'Type', 'Name', 'Value', 'TTL', 'Actions']);
    expect(rowsOf(shown)).toEqual([
      ['other.test', 'MX', '@', '10 mx.other.test', '3600s'],
      ['example.test', 'CNAME', 'www', 'example.test', '60s'],
      ['example.test', 'A', '@', '192.0.2.1', '3600s'],
    ]);
  });

  it('shows cards with the same facts where the window is narrow', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(328);
    const { user } = renderPage('/dns', { records: [WWW] });
    const list = within(await screen.findByRole('list', { name: 'DNS records' }));
    expect(list.getAllByRole('definition').map((fact) => fact.textContent)).toEqual([
      'CNAME',
      'www',
      '60s',
      'example.test',
      'example.test',
    ]);
    await user.click(list.getByRole('button', { name: 'Check CNAME www.example.test' }));
    expect(await list.findByText('served in 3 ms')).toBeDefined();
  });

  it('fetches a page at a time, and says when more cannot be had', async () => {
    const records = Array.from({ length: 80 }, (_, index) =>
      mockRecord({ id: idOf(9000 - index), name: `host-${index}` }),
    );
    const { user, world } = renderPage('/dns', { records });
    const shown = await table();
    expect(rowsOf(shown)).toHaveLength(60);
    world.refusals['dns.list'] = FAILED;
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect((await screen.findByRole('alert')).textContent).toBe('More records could not be loaded.');
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(rowsOf(shown)).toHaveLength(80));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});

describe('the filter by domain', () => {
  it('shows one domain, and the address keeps it', async () => {
    const { user, router } = renderPage('/dns', { records: [MAIL, WWW, APEX] });
    await table();
    await user.click(screen.getByRole('combobox', { name: 'Domain' }));
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'All domains',
      'example.test',
      'other.test',
    ]);
    await user.click(screen.getByRole('option', { name: 'other.test' }));
    await waitFor(async () =>
      expect(rowsOf(await table()).map(([domain]) => domain)).toEqual(['other.test']),
    );
    expect(router.state.location.href).toBe('/dns?domain=other.test');
    expect(screen.getByText('1 record')).toBeDefined();
    await user.click(screen.getByRole('combobox', { name: 'Domain' }));
    await user.click(screen.getByRole('option', { name: 'All domains' }));
    await waitFor(async () => expect(rowsOf(await table())).toHaveLength(3));
    expect(router.state.location.href).toBe('/dns');
  });

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

describe('the name server', () => {
  it('says where it answers, how to ask it, and what to delegate to', async () => {
    renderPage('/dns', { records: [WWW] });
    expect(await screen.findByRole('heading', { name: 'Name server' })).toBeDefined();
    expect(screen.getByText('127.0.0.1:5353')).toBeDefined();
    expect(screen.getByText('ns1.localhost')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy ns1.localhost' })).toBeDefined();
    const command = 'dig @127.0.0.1 -p 5353 www.example.test CNAME';
    expect(screen.getByText(command)).toBeDefined();
    expect(screen.getByRole('button', { name: `Copy ${command}` })).toBeDefined();
  });

  it('says which setting it misses while it is off', async () => {
    const nameServer = {
      running: false,
      reason: 'The name server is off: set DNS_PORT.',
      host: '127.0.0.1',
      port: 0,
      nameservers: ['ns1.localhost'],
    };
    renderPage('/dns', { records: [WWW], nameServer });
    expect(await screen.findByText('The name server is off: set DNS_PORT.')).toBeDefined();
    expect(screen.queryByText(/^dig /)).toBeNull();
  });
});

describe('a pending domain', () => {
  it('shows the TXT record that proves it, and looks for it', async () => {
    const { user, world } = renderPage('/dns', { records: [APEX], pendingDomains: ['example.test'] });
    expect(await screen.findByText('_cloud-verify.example.test')).toBeDefined();
    expect(screen.getByText(MOCK_PROOF)).toBeDefined();
    expect(
      screen.getByRole('button', { name: 'Copy the name of the TXT record for example.test' }),
    ).toBeDefined();
    expect(
      screen.getByRole('button', { name: 'Copy the value of the TXT record for example.test' }),
    ).toBeDefined();

    await user.click(screen.getByRole('button', { name: 'Verify example.test' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The TXT record was not found yet\./);

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
