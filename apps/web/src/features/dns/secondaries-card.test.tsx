import type { DnsSecondaries } from '@nephos/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { MOCK_KEY_SECRET, mockSecondary } from '../../test/mock-dns.ts';
import { mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const KEY = { name: 'nephos-0', createdAt: '2026-02-03T10:00:00.000Z' };

async function openCard(
  dnsSecondaries?: Partial<DnsSecondaries>,
  state: Parameters<typeof renderPage>[1] = {},
) {
  const page = renderPage('/dns', {
    records: [mockRecord()],
    dnsSecondaries: { serial: 7, key: KEY, secondaries: [], ...dnsSecondaries },
    ...state,
  });
  const card = within(await screen.findByRole('region', { name: 'Secondaries' }));
  return { ...page, card };
}

/** What is said of each secondary. */
function said(card: Awaited<ReturnType<typeof openCard>>['card']) {
  return card.getAllByRole('listitem').map((item) => item.textContent);
}

describe('the secondaries of a domain', () => {
  it('are added, and get a key whose secret is shown once', async () => {
    const { user, card, world } = await openCard({ key: null });
    expect(await card.findByText('No secondaries yet')).toBeDefined();
    await user.click(card.getByRole('button', { name: 'Add secondary' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add secondary' }));
    await user.type(dialog.getByLabelText('IP address'), '192.0.2.53');
    world.refusals = {
      'dns.addSecondary': {
        ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'No.' },
        fields: [{ path: 'address', message: '192.0.2.53 is not a public address.' }],
      },
    };
    await user.click(dialog.getByRole('button', { name: 'Add secondary' }));
    expect(await dialog.findByText('192.0.2.53 is not a public address.')).toBeDefined();
    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Add secondary' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.calls.find(({ path }) => path === 'dns.addSecondary')?.input).toEqual({
      ...{ domain: 'example.test', address: '192.0.2.53', port: 53 },
    });
    await waitFor(() => expect(said(card)).toEqual(['192.0.2.53:53WaitingNeeds the transfer key']));

    await user.click(card.getByRole('button', { name: 'Create key' }));
    expect(await card.findByText(MOCK_KEY_SECRET)).toBeDefined();
    expect(card.getByRole('button', { name: "Copy the key's secret" })).toBeDefined();
  });

  it('show how far each is, and what is wrong with it', async () => {
    const failingSince = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const { card } = await openCard({
      secondaries: [
        mockSecondary({ serial: 7 }),
        mockSecondary({
          address: '2001:db8::53',
          serial: 6,
          problem: "It hasn't copied the latest change yet.",
        }),
        mockSecondary({ port: 5353, serial: 5, failingSince, problem: "It doesn't respond." }),
        mockSecondary({ address: '192.0.2.54' }),
      ],
    });
    await card.findByText('Up to date');
    expect(said(card)).toEqual([
      '192.0.2.53:53Up to dateHas serial 7',
      "[2001:db8::53]:53BehindHas serial 6. It hasn't copied the latest change yet.",
      "192.0.2.53:5353Not answeringHas serial 5. It doesn't respond. Since 3 hours ago.",
      '192.0.2.54:53Waiting',
    ]);
  });

  it('are looked at again while one is behind', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { card, world } = await openCard({ secondaries: [mockSecondary({ serial: 6 })] });
    await card.findByText('Behind');
    world.dnsSecondaries.secondaries = [mockSecondary({ serial: 7 })];
    await vi.advanceTimersByTimeAsync(3000);
    expect(await card.findByText('Up to date')).toBeDefined();
    const looks = () => world.calls.filter(({ path }) => path === 'dns.secondaries').length;
    const before = looks();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks()).toBe(before);
    vi.useRealTimers();
  });

  it('are removed, and get a new key, once that is confirmed', async () => {
    const { user, card, world } = await openCard({ secondaries: [mockSecondary({ serial: 7 })] });
    await user.click(await card.findByRole('button', { name: 'Remove 192.0.2.53:53' }));
    const asking = within(await screen.findByRole('alertdialog', { name: 'Remove 192.0.2.53:53?' }));
    await user.click(asking.getByRole('button', { name: 'Remove secondary' }));
    await waitFor(() => expect(card.queryByRole('listitem')).toBeNull());
    expect(world.dnsSecondaries.secondaries).toEqual([]);
    await user.click(card.getByRole('button', { name: 'New key' }));
    const key = within(await screen.findByRole('alertdialog', { name: 'Create a new key?' }));
    await user.click(key.getByRole('button', { name: 'Create key' }));
    expect(await card.findByText(MOCK_KEY_SECRET)).toBeDefined();
  });

  it('say when they cannot be loaded', async () => {
    const page = renderPage('/dns', {
      records: [mockRecord()],
      refusals: { 'dns.secondaries': { code: 'CONFLICT', reason: 'BUSY', message: 'Not now.' } },
    });
    expect(await screen.findByText('Not now.')).toBeDefined();
    page.world.refusals = {};
    await page.user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: 'Secondaries' })).toBeDefined();
  });
});
