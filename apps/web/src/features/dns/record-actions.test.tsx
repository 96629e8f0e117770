import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { idOf, mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const WWW = mockRecord({ id: idOf(1003), name: 'www', value: '192.0.2.7' });
const OTHER = mockRecord({ id: idOf(1004), name: 'api', value: '192.0.2.8' });
const TITLE = 'A www.example.test';

function answer() {
  return screen.findByRole('status', { name: `Answer for ${TITLE}` });
}

describe('checking a record', () => {
  it('asks the name server, and says how fast it answered with what', async () => {
    const asking = Promise.withResolvers<void>();
    const { user } = renderPage('/dns', {
      records: [WWW, OTHER],
      dnsAnswer: { milliseconds: 0.42 },
      delays: { 'dns.answer': asking.promise },
    });
    await user.click(await screen.findByRole('button', { name: `Check ${TITLE}` }));
    expect((await answer()).textContent).toBe('Querying the name server…');
    asking.resolve();
    expect(await within(await answer()).findByText('Served in 0.4 ms')).toBeDefined();
    expect((await answer()).textContent).toMatch(/NOERRORwww\.example\.test\.\s3600\sIN\sA\s192\.0\.2\.7$/);
    expect(screen.getByRole('button', { name: `Copy the dig command for ${TITLE}` })).toBeDefined();
    expect(screen.getAllByRole('status', { name: /^Answer for/ })).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: `Dismiss the answer for ${TITLE}` }));
    expect(screen.queryByRole('status', { name: /^Answer for/ })).toBeNull();
  });

  it('says why it is not served', async () => {
    const { user } = renderPage('/dns', {
      records: [WWW],
      dnsAnswer: {
        served: false,
        responseCode: '',
        answers: [],
        reason: 'The name server is off: set DNS_PORT.',
      },
    });
    await user.click(await screen.findByRole('button', { name: `Check ${TITLE}` }));
    await waitFor(async () =>
      expect((await answer()).textContent).toBe('Not served The name server is off: set DNS_PORT.'),
    );
  });

  it('says when the server could not be asked', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user } = renderPage('/dns', {
      records: [WWW],
      refusals: { 'dns.answer': { code: 'NOT_FOUND', reason: 'NOT_FOUND', message: 'Not found.' } },
    });
    await user.click(await screen.findByRole('button', { name: `Check ${TITLE}` }));
    await waitFor(async () => expect((await answer()).textContent).toBe('Not found.'));
  });

  it('is forgotten on leaving the page', async () => {
    const { user, router } = renderPage('/dns', { records: [WWW] });
    await user.click(await screen.findByRole('button', { name: `Check ${TITLE}` }));
    await within(await answer()).findByText('Served in 3 ms');
    await router.navigate({ to: '/storage' });
    await screen.findByText('No files yet');
    await router.navigate({ to: '/dns' });
    await screen.findByRole('button', { name: `Check ${TITLE}` });
    expect(screen.queryByText('Served in 3 ms')).toBeNull();
  });
});

describe('editing a record', () => {
  async function openEdit(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/dns', { records: [WWW, OTHER], ...state });
    await page.user.click(await screen.findByRole('button', { name: `Edit ${TITLE}` }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit record' }));
    return { ...page, dialog, save: dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }) };
  }

  it('changes name, value and TTL, and asks the name server again', async () => {
    const { user, dialog, save, world } = await openEdit();
    expect(save.disabled).toBe(true);
    expect(dialog.queryByLabelText('Domain')).toBeNull();
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('www');
    const value = dialog.getByLabelText('Value');
    await user.clear(value);
    await user.type(value, '192.0.2.77');
    await user.clear(dialog.getByLabelText('TTL'));
    await user.type(dialog.getByLabelText('TTL'), '1e3');
    await user.click(save);
    expect(dialog.getByRole('alert').textContent).toBe('TTL must be a whole number of seconds.');
    await user.clear(dialog.getByLabelText('TTL'));
    await user.type(dialog.getByLabelText('TTL'), '120{Enter}');
    expect(await within(await answer()).findByText(/120\sIN\sA\s192\.0\.2\.77$/)).toBeDefined();
    expect(shownToast()?.title).toBe('DNS record saved');
    expect(world.calls.find(({ path }) => path === 'dns.update')?.input).toEqual({
      id: WWW.id,
      name: 'www',
      value: '192.0.2.77',
      ttl: 120,
    });
    expect(await screen.findByText('120s')).toBeDefined();
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(`Edit ${TITLE}`));
  });

  it('says what the server has against it', async () => {
    const { user, dialog, save } = await openEdit({
      refusals: {
        'dns.update': { code: 'CONFLICT', reason: 'DUPLICATE', message: 'There is such a record already.' },
      },
    });
    await user.clear(dialog.getByLabelText('Value'));
    await user.type(dialog.getByLabelText('Value'), '192.0.2.8');
    await user.click(save);
    expect((await dialog.findByRole('alert')).textContent).toBe('There is such a record already.');
    expect(shownToast()?.description).toBe('Failed to save DNS record');
  });
});

describe('deleting a record', () => {
  it('says why it stays', async () => {
    const { user } = renderPage('/dns', {
      records: [WWW],
      refusals: {
        'dns.remove': { code: 'CONFLICT', reason: 'GLUE_NEEDED', message: 'An NS record names it.' },
      },
    });
    await user.click(await screen.findByRole('button', { name: `Delete ${TITLE}` }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete DNS record?' }));
    await user.click(dialog.getByRole('button', { name: 'Delete record' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('An NS record names it.');
    expect(shownToast()?.description).toBe('An NS record names it.');
  });
});
