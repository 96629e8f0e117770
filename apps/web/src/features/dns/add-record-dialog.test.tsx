import { RECORD_TYPES } from '@nephos/contracts/constants';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mockRecord, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

async function openDialog(state: Parameters<typeof renderPage>[1] = {}, path = '/dns') {
  const page = renderPage(path, state);
  await page.user.click(await screen.findByRole('button', { name: 'Add Record' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Record' }));
  return { ...page, dialog, add: dialog.getByRole<HTMLButtonElement>('button', { name: 'Add' }) };
}

function typed(label: string): string {
  return within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement>(label).value;
}

describe('adding a record', () => {
  it('starts from the defaults and needs a domain and a value', async () => {
    const { user, dialog, add } = await openDialog();
    expect(typed('Domain')).toBe('');
    expect(dialog.getByRole('combobox', { name: 'Type' }).textContent).toBe('A');
    expect(typed('Name')).toBe('@');
    expect(typed('Value')).toBe('');
    expect(typed('TTL')).toBe('3600');
    expect(dialog.getByLabelText<HTMLInputElement>('Domain').required).toBe(true);
    expect(dialog.getByLabelText<HTMLInputElement>('Value').required).toBe(true);
    expect(add.disabled).toBe(true);
    await user.type(dialog.getByLabelText('Domain'), 'example.test');
    expect(add.disabled).toBe(true);
    await user.type(dialog.getByLabelText('Value'), ' ');
    expect(add.disabled).toBe(true);
    await user.type(dialog.getByLabelText('Value'), '192.0.2.9');
    expect(add.disabled).toBe(false);
  });

  it('leaves the filter when the record is of another domain', async () => {
    const { user, dialog, add, router } = await openDialog(
      { records: [mockRecord()] },
      '/dns?domain=example.test',
    );
    await user.clear(dialog.getByLabelText('Domain'));
    await user.type(dialog.getByLabelText('Domain'), 'other.test');
    await user.type(dialog.getByLabelText('Value'), '192.0.2.9');
    await user.click(add);
    expect(await screen.findByRole('status', { name: 'Answer for A other.test' })).toBeDefined();
    await waitFor(() => expect(router.state.location.href).toBe('/dns'));
  });

  it('suggests the domains that one has', async () => {
    const { dialog } = await openDialog({
      records: [mockRecord(), mockRecord({ id: crypto.randomUUID(), domain: 'other.test' })],
    });
    const list = dialog.getByLabelText('Domain').getAttribute('list');
    const options = document.querySelectorAll<HTMLOptionElement>(`[id="${list}"] option`);
    expect([...options].map(({ value }) => value)).toEqual(['example.test', 'other.test']);
  });

  it('shows what a value of each type looks like', async () => {
    const { user, dialog } = await openDialog();
    const placeholders: Record<string, string> = {};
    for (const type of RECORD_TYPES) {
      await user.click(dialog.getByRole('combobox', { name: 'Type' }));
      await user.click(await screen.findByRole('option', { name: type }));
      placeholders[type] = dialog.getByLabelText<HTMLInputElement>('Value').placeholder;
    }
    expect(placeholders).toEqual({
      A: '203.0.113.10',
      AAAA: '2001:db8::10',
      CNAME: 'app.example.com',
      MX: '10 mail.example.com',
      TXT: 'v=spf1 mx -all',
      NS: 'ns1.example.net',
      CAA: '0 issue "letsencrypt.org"',
      SRV: '10 5 5060 sip.example.com',
      PTR: 'host.example.com',
      TLSA: '3 1 1 and 64 hexadecimal digits',
      SSHFP: '4 2 and 64 hexadecimal digits',
      HTTPS: '1 . alpn=h2,h3',
      SVCB: '1 dns.example.com alpn=dot port=853',
      DS: '12345 13 2 and 64 hexadecimal digits',
      ALIAS: 'app.example.com',
    });
    expect(Object.keys(placeholders).slice(0, 6)).toEqual(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS']);
  });
});

describe('a record that is refused', () => {
  it('is explained at its fields before it is sent', async () => {
    const { user, dialog, add, world } = await openDialog();
    await user.type(dialog.getByLabelText('Domain'), 'localhost');
    await user.type(dialog.getByLabelText('Value'), '192.0.2.256');
    await user.clear(dialog.getByLabelText('TTL'));
    await user.type(dialog.getByLabelText('TTL'), '1e3');
    expect(dialog.queryAllByRole('alert')).toHaveLength(0);
    await user.click(add);
    expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
      'Enter a domain with at least two parts, like example.com.',
      expect.stringMatching(/^Enter an IPv4 address/),
      'TTL must be a whole number of seconds.',
    ]);
    expect(world.calls.some(({ path }) => path === 'dns.create')).toBe(false);

    await user.clear(dialog.getByLabelText('TTL'));
    await user.type(dialog.getByLabelText('TTL'), '60');
    expect(dialog.getAllByRole('alert')).toHaveLength(2);
    expect(shownToast()?.title).not.toBe('Error');
  });

  it('keeps what was typed, with the server’s word at the field that it is about', async () => {
    const { user, dialog, add, world } = await openDialog();
    await user.type(dialog.getByLabelText('Domain'), 'example.test');
    await user.type(dialog.getByLabelText('Value'), '192.0.2.9');
    for (const [reason, label] of [
      ['DOMAIN_RESERVED', 'Domain'],
      ['DOMAIN_TAKEN', 'Domain'],
      ['ZONE_OVERLAP', 'Domain'],
      ['CNAME_CONFLICT', 'Name'],
      ['ALIAS_CONFLICT', 'Name'],
      ['ALIAS_NOT_SERVED', 'Value'],
      ['DS_CONFLICT', 'Name'],
      ['DELEGATED', 'Name'],
      ['DUPLICATE', 'Value'],
      ['GLUE_NEEDED', 'Value'],
      ['NULL_MX', 'Value'],
      ['TTL_MISMATCH', 'TTL'],
    ] as const) {
      const message = `${reason} does not fit.`;
      world.refusals = { 'dns.create': { code: 'CONFLICT', reason, message } };
      await user.click(add);
      expect((await dialog.findByText(message)).getAttribute('role')).toBe('alert');
      expect(dialog.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
      expect(dialog.getAllByRole('alert')).toHaveLength(1);
    }
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to create DNS record',
      variant: 'destructive',
    });
    expect(typed('Value')).toBe('192.0.2.9');
  });

  it('shows what the server says of a field beside it', async () => {
    const message = 'The name com is a public suffix.';
    const { user, dialog, add } = await openDialog({
      refusals: {
        'dns.create': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message,
          fields: [{ path: 'domain', message }],
        },
      },
    });
    await user.type(dialog.getByLabelText('Domain'), 'co.uk');
    await user.type(dialog.getByLabelText('Value'), '192.0.2.9');
    await user.click(add);
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(dialog.getByLabelText('Domain').getAttribute('aria-invalid')).toBe('true');
  });

  it('is explained in the dialog where no field is to blame, and by the login page when the session is over', async () => {
    const { user, dialog, add, world } = await openDialog({
      refusals: {
        'dns.create': {
          code: 'FORBIDDEN',
          reason: 'QUOTA_EXCEEDED',
          message: 'A domain can have no more records.',
        },
      },
    });
    await user.type(dialog.getByLabelText('Domain'), 'example.test');
    await user.type(dialog.getByLabelText('Value'), '192.0.2.9');
    await user.click(add);
    expect((await dialog.findByRole('alert')).textContent).toBe('A domain can have no more records.');
    expect(shownToast()?.description).toBe('Failed to create DNS record');

    world.refusals = { 'dns.create': UNAUTHORIZED };
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    await user.click(add);
    expect(await left.promise).toBe('/api/login?returnTo=%2Fdns');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized' });
  });
});
