import type { User } from '@nephos/contracts';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Console } from '../console.tsx';
import { ToastHost } from '../ui/toast-host.tsx';

const ADA: User = {
  id: '0197a000-0000-7000-8000-000000000001',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  profileImageUrl: null,
  handle: 'ada',
  role: 'member',
  trialActive: true,
  trialEndDate: '2026-12-05T00:00:00.000Z',
  createdAt: '2026-11-21T00:00:00.000Z',
};

const SERVICES = [
  'Deployments',
  'Container Registry',
  'Databases',
  'Storage',
  'DNS',
  'Mobile Apps',
  'Payment Gateway',
  'Marketplace',
  'Billing',
];

let setCookie: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) => Response.json(emptyLists(url)));
  setCookie = vi.spyOn(document, 'cookie', 'set');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // biome-ignore lint/suspicious/noDocumentCookie: what the sidebar wrote
  document.cookie = 'sidebar_state=; path=/; max-age=0';
});

/** The answer to a batch of queries, each for a list with nothing in it. */
function emptyLists(url: string) {
  const procedures = new URL(url).pathname.replace('/trpc/', '').split(',');
  return procedures.map(() => ({ result: { data: [] } }));
}

async function openConsole({ path = '/dns', user = {} }: { path?: string; user?: Partial<User> } = {}) {
  window.history.replaceState(null, '', path);
  render(
    <>
      <Console user={{ ...ADA, ...user }} />
      <ToastHost />
    </>,
  );
  // The first one waits for all that the console is made of.
  await screen.findByRole('button', { name: 'Toggle sidebar' }, { timeout: 15_000 });
}

function narrowWindow() {
  const matchMedia = window.matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const media = matchMedia(query);
    Object.defineProperty(media, 'matches', { value: query.includes('max-width: 767px') });
    return media;
  });
}

const sidebar = () => screen.getByRole('complementary', { name: 'Sidebar' });
const entries = (group: string) =>
  within(screen.getByRole('region', { name: group }))
    .getAllByRole('link')
    .map((link) => link.textContent);

test('lists the services in order, and administration to admins only', async () => {
  await openConsole();
  expect(entries('Services')).toEqual(SERVICES);
  expect(screen.queryByRole('region', { name: 'Administration' })).toBeNull();
  expect(screen.getByRole('link', { name: 'DNS' }).getAttribute('aria-current')).toBe('page');
  cleanup();
  await openConsole({ user: { role: 'admin' } });
  expect(entries('Administration')).toEqual(['Admin Dashboard']);
});

test('shows who is signed in, and the way out', async () => {
  await openConsole();
  expect(within(sidebar()).getByText('Ada Lovelace')).toBeDefined();
  expect(within(sidebar()).getByText('ada@example.com')).toBeDefined();
  expect(within(sidebar()).getByText('AL')).toBeDefined();
  expect(within(sidebar()).getByRole('link', { name: 'Log out' }).getAttribute('href')).toBe('/api/logout');
});

test.each(['Control', 'Meta'])('%s+B collapses the sidebar and keeps it so for 7 days', async (key) => {
  await openConsole();
  expect(sidebar().style.width).toBe('16rem');
  await userEvent.keyboard(`{${key}>}b{/${key}}`);
  expect(sidebar().style.width).toBe('3rem');
  expect(setCookie).toHaveBeenLastCalledWith(
    expect.stringMatching(/^sidebar_state=false; path=\/; max-age=604800/),
  );
  cleanup();

  await openConsole();
  expect(sidebar().style.width).toBe('3rem');
  await userEvent.click(screen.getByRole('button', { name: 'Toggle sidebar' }));
  expect(sidebar().style.width).toBe('16rem');
  expect(setCookie).toHaveBeenLastCalledWith(expect.stringContaining('sidebar_state=true'));
});

test('on a narrow window the sidebar is a drawer with a state of its own', async () => {
  narrowWindow();
  await openConsole();
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Toggle sidebar' }));
  expect((await screen.findByRole('dialog', { name: 'Menu' })).style.width).toBe('18rem');
  expect(setCookie).not.toHaveBeenCalled();

  await userEvent.click(screen.getByRole('link', { name: 'Storage' }));
  expect(await screen.findByRole('heading', { name: 'Cloud Storage' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an unknown path is not found, within the shell', async () => {
  await openConsole({ path: '/nowhere' });
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeDefined();
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeDefined();
  expect(sidebar()).toBeDefined();
});

test('the command palette gives the focus back, unless what it opened has it', async () => {
  await openConsole();
  const toggle = screen.getByRole('button', { name: 'Toggle sidebar' });
  toggle.focus();
  await userEvent.keyboard('{Control>}k{/Control}');
  await screen.findByPlaceholderText(/Type a page/);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(toggle));
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByPlaceholderText(/Type a page/), 'add record{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Add Record' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
});
