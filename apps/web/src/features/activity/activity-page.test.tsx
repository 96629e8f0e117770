import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mockRecord } from '../../test/mock-audit.ts';
import { BROKEN, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

describe('activity', () => {
  it('says who did what, and shows each field before and after', async () => {
    const { user } = renderPage('/activity', { auditRecords: [mockRecord()] });
    expect(await screen.findByText("Change a project's settings")).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Details of/ }));
    const dialog = await screen.findByRole('dialog');
    const [, row] = within(within(dialog).getByRole('table', { name: 'Changes' })).getAllByRole('row');
    expect(Array.from(row?.children ?? [], ({ textContent }) => textContent)).toEqual([
      'name',
      'Shop',
      'Market',
    ]);
    expect(within(dialog).getByText('192.0.2.1')).toBeDefined();
  });

  it('is narrowed to a person by a click, and shows all again', async () => {
    const record = mockRecord();
    const { user, world } = renderPage('/activity', { auditRecords: [record] });
    await user.click(await screen.findByRole('button', { name: 'Only by ada@example.com' }));
    await user.click(await screen.findByRole('button', { name: 'Show everybody' }));
    const asked = world.calls.filter(({ path }) => path === 'audit.list').map(({ input }) => input);
    expect(asked).toContainEqual(expect.objectContaining({ actorId: record.actor?.id }));
  });

  it('offers no export to a guest of a personal workspace, who sees no log-ins', async () => {
    const workspace = { id: crypto.randomUUID(), name: 'Bob', personal: true, role: 'viewer' } as const;
    renderPage('/activity', { auditRecords: [mockRecord()], user: mockUser({ workspace }) });
    expect(await screen.findByText("Change a project's settings")).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Export CSV' })).toBeNull();
  });

  it('says that nothing was found, that there is nothing, and why it cannot be had', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, world } = renderPage('/activity?q=nothing', { refusals: { 'audit.list': BROKEN } });
    await screen.findByText(BROKEN.message);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await user.click(await screen.findByRole('button', { name: 'Show all activity' }));
    expect(await screen.findByText('No activity yet')).toBeDefined();
  });
});
