import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { idOf, mockDatabase, mockFile, mockProject } from '../test/mock-world.ts';
import { mockApi, renderPage } from '../test/render-page.tsx';

mockApi();

/** What each page's heading is, and what it asks for. */
const PAGES = [
  ['/deployments', 'Deployments', 'projects.list'],
  ['/containers', 'Container Registry', 'containers.list'],
  ['/databases', 'Managed Databases', 'databases.list'],
  ['/storage', 'Cloud Storage', 'storage.list'],
  ['/dns', 'DNS Management', 'dns.list'],
  ['/mobile-apps', 'Mobile App Builder', 'mobileApps.list'],
  ['/payment-gateway', 'Payment Gateway', 'paymentGateway.virtualAccounts'],
  ['/marketplace', 'Marketplace', 'marketplace.list'],
  ['/billing', 'Billing & Usage', 'billing.summary'],
] as const;

/** The page of accounts asks for those that were closed by the same procedure. */
function isOfClosed(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'closed' in input;
}

async function visit({ router }: ReturnType<typeof renderPage>, to: string, heading: string) {
  await act(() => router.navigate({ to }));
  await screen.findByRole('heading', { level: 1, name: heading });
}

describe('a page that one comes to', () => {
  it.each(PAGES)('%s asks once at first and once more with each return', async (path, heading, procedure) => {
    const page = renderPage('/account');
    const asked = () =>
      page.world.calls.filter(({ path, input }) => path === procedure && !isOfClosed(input)).length;
    await screen.findByRole('heading', { level: 1, name: 'Account' });
    await visit(page, path, heading);
    await waitFor(() => expect(asked()).toBe(1));
    await visit(page, '/account', 'Account');
    await visit(page, path, heading);
    await waitFor(() => expect(asked()).toBe(2));
  });

  it('shows what was there until it has what is there now', async () => {
    const files = [mockFile({ id: idOf(1), fileName: 'old.txt' })];
    const page = renderPage('/storage', { files });
    await screen.findByText('old.txt');
    await visit(page, '/account', 'Account');
    const { promise, resolve } = Promise.withResolvers<void>();
    page.world.files = [mockFile({ id: idOf(2), fileName: 'new.txt' }), ...files];
    page.world.delays['storage.list'] = promise;
    await visit(page, '/storage', 'Cloud Storage');
    expect(screen.getByText('old.txt')).toBeDefined();
    expect(screen.queryByText('new.txt')).toBeNull();
    resolve();
    expect(await screen.findByText('new.txt')).toBeDefined();
  });

  it('is fetched again within a project, too, whose frame stays', async () => {
    const project = mockProject({ name: 'before' });
    const page = renderPage(`/projects/${project.id}`, { projects: [project] });
    await screen.findByRole('heading', { level: 1, name: 'before' });
    page.world.projects = [{ ...project, name: 'after' }];
    await act(() => page.router.navigate({ to: `/projects/${project.id}/settings` }));
    expect(await screen.findByRole('heading', { level: 1, name: 'after' })).toBeDefined();
  });

  it('does not go on showing what is gone', async () => {
    // React tells of what a page catches, and Node cannot print it.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const database = mockDatabase({ name: 'gone-soon' });
    const page = renderPage(`/databases/${database.id}`, { databases: [database] });
    await screen.findByRole('heading', { level: 1, name: 'gone-soon' });
    await visit(page, '/account', 'Account');
    page.world.databases = [];
    await act(() => page.router.navigate({ to: `/databases/${database.id}` }));
    expect(await screen.findByText("Not found, or you don't have access.")).toBeDefined();
  });

  it('asks for nothing again when only what it shows of itself changes', async () => {
    const page = renderPage('/storage');
    await screen.findByRole('heading', { level: 1, name: 'Cloud Storage' });
    await act(() => page.router.navigate({ to: '/storage', search: { new: 1 } }));
    await screen.findByRole('dialog');
    expect(page.world.calls.filter(({ path }) => path === 'storage.list')).toHaveLength(1);
  });
});
