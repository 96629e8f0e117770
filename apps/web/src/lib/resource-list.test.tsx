import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idOf, mockFile, mockImage, mockMobileApp, mockProject } from '../test/mock-world.ts';
import { mockApi, renderPage } from '../test/render-page.tsx';

mockApi();

/** Pixels of a row: nothing is laid out here, and rows of no height would all be in sight. */
const ROW = 49;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, -window.scrollY, 1000, ROW),
  );
});

afterEach(() => {
  window.scrollTo(0, 0);
});

/** So many files, the newest first. */
function files(count: number) {
  return Array.from({ length: count }, (_, index) =>
    mockFile({ id: idOf(9000 - index), fileName: `file-${index}.txt`, fileSize: index }),
  );
}

function scrollTo(row: number) {
  act(() => {
    window.scrollTo(0, row * ROW);
    window.dispatchEvent(new Event('scroll'));
  });
}

const searchBox = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search files' });

/** A table of any length draws what is in sight alone: what it says of its length is what it has. */
async function table(name = 'Files') {
  return await screen.findByRole('table', { name });
}

const FAILED = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'No.' } as const;

describe('a list', () => {
  it('of 24 things is cards, without a search', async () => {
    renderPage('/storage', { files: files(24) });
    const list = within(await screen.findByRole('list', { name: 'Files' }));
    expect(list.getAllByRole('listitem')).toHaveLength(24);
    expect(screen.queryByRole('searchbox', { name: 'Search files' })).toBeNull();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('of 25 is a table with a search and orders, which offers what a card does', async () => {
    renderPage('/storage', { files: files(25) });
    const rows = within(await table()).getAllByRole('row');
    expect(rows[1]?.getAttribute('aria-rowindex')).toBe('2');
    expect((await table()).getAttribute('aria-rowcount')).toBe('26');
    const first = within(rows[1] as HTMLElement);
    expect(first.getByText('file-0.txt')).toBeDefined();
    expect(first.getByText('Private')).toBeDefined();
    expect(first.getByRole('button', { name: 'Download file-0.txt' })).toBeDefined();
    expect(first.getByRole('button', { name: 'More actions for file-0.txt' })).toBeDefined();
    expect(await searchBox()).toBeDefined();
    expect(screen.getByText('25 files').getAttribute('role')).toBe('status');
  });

  it('of a few says that it could not be fetched again', async () => {
    const { user, world } = renderPage('/storage', { files: files(3) });
    await screen.findByRole('list', { name: 'Files' });
    world.refusals['storage.list'] = FAILED;
    await user.click(screen.getByRole('button', { name: 'More actions for file-0.txt' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Make public' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Try again');
    expect(screen.getByText('file-0.txt')).toBeDefined();
  });

  it('of none says so, and keeps what its page says of it', async () => {
    renderPage('/storage');
    expect(await screen.findByText('No files yet')).toBeDefined();
    expect(screen.queryByRole('searchbox', { name: 'Search files' })).toBeNull();
  });
});

describe('a search', () => {
  it('is typed, kept in the address, and leaves the focus where it is', async () => {
    const { user, router, world } = renderPage('/storage', { files: files(60) });
    const box = await searchBox();
    const typing = Promise.withResolvers<void>();
    world.delays['storage.list'] = typing.promise;
    await user.type(box, 'file-42');
    // What was there stays, dimmed, until the answer is.
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'file-42' }));
    expect(screen.getByText('file-0.txt')).toBeDefined();
    expect((await table()).closest('[aria-busy=true]')).not.toBeNull();
    typing.resolve();
    await waitFor(() => expect(screen.queryByText('file-0.txt')).toBeNull());
    expect(screen.getByText('file-42.txt')).toBeDefined();
    expect(screen.getByText('1 file')).toBeDefined();
    expect(document.activeElement).toBe(box);
    expect(world.calls.filter(({ path }) => path === 'storage.list').map(({ input }) => input)).toEqual([
      { limit: 60, direction: 'forward' },
      { limit: 60, direction: 'forward', search: 'file-42' },
    ]);
  });

  it('that nothing matches is cleared by a button, which leads back to the box', async () => {
    const { user, router } = renderPage('/storage?q=no%20such', { files: files(25) });
    expect(await screen.findByText('No files found')).toBeDefined();
    expect(screen.getByText('Nothing matches “no such”.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(await screen.findByText('file-0.txt')).toBeDefined();
    const box = await searchBox();
    expect(box.value).toBe('');
    expect(document.activeElement).toBe(box);
    expect(router.state.location.search).toEqual({});
  });

  it('of a few things is emptied, and the box stays with the focus', async () => {
    const { user, router } = renderPage('/storage?q=file-2', { files: files(3) });
    const box = await searchBox();
    await user.clear(box);
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(await screen.findByText('file-0.txt')).toBeDefined();
    expect(document.activeElement).toBe(box);
  });

  it('that fails leaves the box, and is tried again', async () => {
    const { user, world } = renderPage('/storage', { files: files(25) });
    const box = await searchBox();
    world.refusals['storage.list'] = FAILED;
    await user.type(box, 'file-7');
    await screen.findByRole('alert');
    expect(box.value).toBe('file-7');
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('file-7.txt')).toBeDefined();
  });

  it('is led to by the key /, but not out of a dialog or a field', async () => {
    const { user } = renderPage('/storage', { files: files(25) });
    const box = await searchBox();
    await user.keyboard('/');
    expect(document.activeElement).toBe(box);
    await user.keyboard('/');
    expect(box.value).toBe('/');
    await user.clear(box);
    await user.click(screen.getByRole('button', { name: 'Upload File' }));
    await screen.findByRole('dialog');
    await user.keyboard('/');
    expect(document.activeElement).not.toBe(box);
  });
});

it('is put in order by a choice that the address keeps', async () => {
  const { user, router } = renderPage('/storage', { files: files(30) });
  await user.click(await screen.findByRole('combobox', { name: 'Sort by' }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Newest first',
    'Oldest first',
    'Name',
    'Largest first',
  ]);
  await user.click(screen.getByRole('option', { name: 'Oldest first' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'oldest' }));
  await waitFor(async () =>
    expect(within(await table()).getAllByRole('row')[1]?.textContent).toContain('file-29.txt'),
  );
});

it('keeps the row that one is in, and the focus, while others come and go', async () => {
  const { user } = renderPage('/storage', { files: files(60) });
  await table();
  scrollTo(20);
  const menu = await screen.findByRole('button', { name: 'More actions for file-21.txt' });
  act(() => menu.focus());
  for (const row of [23, 40, 0]) {
    scrollTo(row);
    expect(screen.getByRole('button', { name: 'More actions for file-21.txt' })).toBe(menu);
    expect(document.activeElement).toBe(menu);
  }
  await user.keyboard('{Enter}');
  await screen.findByRole('menu');
  scrollTo(40);
  expect(screen.getByRole('menu')).toBeDefined();
});

describe('the next page', () => {
  it('is fetched as its rows come near, and the length is said as far as it is known', async () => {
    const { world } = renderPage('/storage', { files: files(130) });
    await table();
    const rows = async () => (await table()).getAttribute('aria-rowcount');
    const fetched = () => world.calls.filter(({ path }) => path === 'storage.list').length;
    expect(await rows()).toBe('-1');
    expect(fetched()).toBe(1);
    for (const more of [1, 2]) {
      scrollTo(60 * more);
      await waitFor(() => expect(fetched()).toBe(1 + more));
    }
    await waitFor(async () => expect(await rows()).toBe('131'));
    expect(screen.getByText('130 files')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('is not fetched with each return, however many were', async () => {
    const { world, router } = renderPage('/storage', { files: files(400) });
    await table();
    const fetched = () => world.calls.filter(({ path }) => path === 'storage.list').length;
    for (const pages of [2, 3, 4, 5, 6, 7]) {
      scrollTo(60 * (pages - 1));
      await waitFor(() => expect(fetched()).toBe(pages));
    }
    await act(() => router.navigate({ to: '/account' }));
    await screen.findByRole('heading', { level: 1, name: 'Account' });
    window.scrollTo(0, 0);
    await act(() => router.navigate({ to: '/storage' }));
    await waitFor(() => expect(fetched()).toBe(10));
    expect(await screen.findByText('180+ files')).toBeDefined();
  });

  it('that cannot be had is said, and asked for by a person alone', async () => {
    const { user, world } = renderPage('/storage', { files: files(100) });
    await table();
    world.refusals['storage.list'] = FAILED;
    scrollTo(60);
    expect((await screen.findByRole('alert')).textContent).toBe("Couldn't load more files.");
    world.refusals = {};
    scrollTo(59);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('100 files')).toBeDefined();
  });

  it('behind a row that is gone begins anew', async () => {
    const { user, world } = renderPage('/storage?sort=name', { files: files(100) });
    await table();
    const { files: before } = world;
    world.refusals['storage.list'] = { code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Gone.' };
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByRole('alert');
    world.refusals = {};
    world.files = before.filter(({ fileName }) => fileName !== 'file-59.txt');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('99 files')).toBeDefined();
  });
});

describe.each([
  {
    path: '/deployments',
    label: 'Projects',
    world: () => ({
      projects: Array.from({ length: 25 }, (_, index) =>
        mockProject({ id: idOf(9000 - index), name: `project-${index}` }),
      ),
    }),
    row: ['project-0', 'Active', 'View Repository'],
    sorts: ['Newest first', 'Oldest first', 'Name', 'Last deployed'],
  },
  {
    path: '/containers',
    label: 'Container images',
    world: () => ({
      images: Array.from({ length: 25 }, (_, index) =>
        mockImage({ id: idOf(9000 - index), tag: `v${index}` }),
      ),
    }),
    row: ['v0', 'Pull Instructions'],
    sorts: ['Newest first', 'Oldest first', 'Name', 'Last pushed', 'Largest first'],
  },
  {
    path: '/mobile-apps',
    label: 'Mobile apps',
    world: () => ({
      mobileApps: Array.from({ length: 25 }, (_, index) =>
        mockMobileApp({ id: idOf(9000 - index), name: `app-${index}` }),
      ),
    }),
    row: ['app-0', 'Draft', 'View Config'],
    sorts: ['Newest first', 'Oldest first', 'Name'],
  },
])('more than 24 at $path', ({ path, label, world, row, sorts }) => {
  it('are rows that say and offer what cards do', async () => {
    const { user } = renderPage(path, world());
    const rows = within(await table(label)).getAllByRole('row');
    for (const text of row) expect(rows[1]?.textContent).toContain(text);
    await user.click(screen.getByRole('combobox', { name: 'Sort by' }));
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(sorts);
  });
});

it('is compact cards where a table has no room', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(328);
  renderPage('/storage', { files: files(25) });
  const list = await screen.findByRole('list', { name: 'Files' });
  const [first] = within(list).getAllByRole('listitem');
  expect(first?.getAttribute('aria-posinset')).toBe('1');
  expect(first?.getAttribute('aria-setsize')).toBe('25');
  expect(first?.textContent).toContain('file-0.txt');
  expect(within(first as HTMLElement).getByRole('button', { name: 'Download file-0.txt' })).toBeDefined();
});
