import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { ADA, adminWorld, GRACE } from './admin-fixtures.ts';

mockApi();

const PATIENCE_MS = 15_000;
const DENIED = {
  title: 'Access Denied',
  description: 'You do not have permission to access this page.',
  variant: 'destructive',
};
const FORBIDDEN = {
  code: 'FORBIDDEN',
  reason: 'FORBIDDEN',
  message: 'You do not have permission to do this.',
} as const;

/** Lets everything but timers happen: the page itself is loaded meanwhile, which takes as long as it takes. */
async function settle(until: () => unknown) {
  const deadline = performance.now() + PATIENCE_MS;
  while (!until() && performance.now() < deadline) {
    await vi.advanceTimersByTimeAsync(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a member', () => {
  it('is told, is asked nothing of, and is led to / after a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { world, router } = renderPage('/admin', { ...adminWorld(), user: mockUser() });
    await settle(shownToast);
    expect(shownToast()).toEqual(DENIED);
    expect(screen.queryByRole('heading', { name: 'Admin Dashboard' })).toBeNull();
    await vi.advanceTimersByTimeAsync(999);
    expect(router.state.location.pathname).toBe('/admin');
    await vi.advanceTimersByTimeAsync(1);
    await settle(() => router.state.location.pathname === '/');
    expect(router.state.location.pathname).toBe('/');
    const domains = world.calls.map(({ path }) => path);
    expect(domains.filter((path) => path.startsWith('admin.') || path.endsWith('trialBalance'))).toEqual([]);
  });
});

describe('an admin who is one no more', () => {
  /** Ada's role was taken away while her page is open. */
  function demote({ world }: ReturnType<typeof renderPage>, path: string) {
    world.user = { ...ADA, role: 'member' };
    world.refusals = { [path]: FORBIDDEN };
  }

  async function seesDenial() {
    await waitFor(() => expect(shownToast()).toEqual(DENIED));
    expect(screen.queryByRole('heading', { name: 'Admin Dashboard' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Admin Dashboard' })).toBeNull();
  }

  it('is told with the first write that is refused', async () => {
    const page = renderPage('/admin', adminWorld({ users: [{ ...GRACE, role: 'admin' }, ADA] }));
    await screen.findByText('2 users');
    demote(page, 'admin.changeRole');
    await page.user.click(screen.getByRole('combobox', { name: `Role of ${GRACE.email}` }));
    await page.user.click(await screen.findByRole('option', { name: 'Member' }));
    await seesDenial();
  });
});
