import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { idOf, type MockRefusal, mockFile, mockProject } from '../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../test/render-page.tsx';

mockApi();

const AWAY: MockRefusal = {
  code: 'SERVICE_UNAVAILABLE',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable. Try again in a moment.',
};

const banner = () => screen.findByText(/^The server is temporarily unavailable/);
const noBanner = () => waitFor(() => expect(screen.queryByText(/until it's back\.$/)).toBeNull());

/** The network is back, as the browser sees it; else the console would wait its second. */
const comeOnline = () => act(() => void window.dispatchEvent(new Event('online')));

async function createProject({ user }: ReturnType<typeof renderPage>, name: string) {
  await user.click(await screen.findByRole('button', { name: 'New Project' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
  await user.type(dialog.getByLabelText('Name'), name);
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  return dialog;
}

describe('while the server is away', () => {
  it('a banner says so, a write says why it failed, and all goes on by itself', async () => {
    const page = renderPage('/deployments', { projects: [mockProject({ name: 'before' })] });
    await screen.findByText('before');
    page.world.ready = false;
    page.world.refusals = { 'projects.create': AWAY };
    const dialog = await createProject(page, 'mine');
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to create project' }),
    );
    expect((await dialog.findByRole('alert')).textContent).toContain(AWAY.message);
    expect(await banner()).toBeDefined();

    page.world.projects = [mockProject({ id: idOf(9), name: 'from elsewhere' })];
    page.world.ready = true;
    comeOnline();
    await noBanner();
    expect(await screen.findByText('from elsewhere')).toBeDefined();
  });

  it('a page that could not be had is there when the server is', async () => {
    // React tells of what a page catches, and Node cannot print it.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const page = renderPage('/storage', {
      ready: false,
      refusals: { 'storage.list': AWAY },
      files: [mockFile({ id: idOf(1), fileName: 'kept.txt' })],
    });
    expect(await screen.findByText("Couldn't load this page")).toBeDefined();
    expect(await banner()).toBeDefined();
    page.world.ready = true;
    page.world.refusals = {};
    await page.user.click(within(screen.getByRole('status')).getByRole('button', { name: 'Try again' }));
    await noBanner();
    expect(await screen.findByText('kept.txt')).toBeDefined();
  });

  it('nothing is said where only one thing is not available', async () => {
    const page = renderPage('/deployments', { projects: [mockProject()] });
    page.world.refusals = { 'projects.create': { ...AWAY, message: 'Git is not installed.' } };
    const asked = vi.spyOn(globalThis, 'fetch');
    const dialog = await createProject(page, 'mine');
    expect((await dialog.findByRole('alert')).textContent).toContain('Git is not installed.');
    await waitFor(() =>
      expect(asked.mock.calls.filter(([address]) => String(address).endsWith('/readyz'))).toHaveLength(1),
    );
    expect(screen.queryByText(/until it's back\.$/)).toBeNull();
  });
});
