import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { idOf, mockFile } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const PUBLIC = mockFile({
  id: idOf(702),
  fileName: 'notes.txt',
  filePath: '/notes/',
  fileSize: 12,
  mimeType: 'text/plain',
  isPublic: true,
  publicUrl: 'http://localhost:3000/public/notes.txt',
});
const ARCHIVE = mockFile({ id: idOf(703), fileName: 'all.tar.gz', mimeType: 'application/gzip' });

function card(name: string) {
  const item = screen.getByRole('heading', { name }).closest<HTMLElement>('[role=listitem]');
  if (!item) throw new Error(`${name} is not in a list`);
  return within(item);
}

describe('the storage page', () => {
  it('shows three skeleton cards while the files load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/storage', { delays: { 'storage.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No files yet');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });
});

describe('a file card', () => {
  it('says everything there is to say of it', async () => {
    renderPage('/storage', { files: [PUBLIC, mockFile(), ARCHIVE] });
    await screen.findByRole('heading', { name: 'notes.txt' });
    const open = card('notes.txt');
    expect(open.getByText('/notes/')).toBeDefined();
    expect(open.getByText('Public')).toBeDefined();
    expect(open.getByText('12 B')).toBeDefined();
    expect(open.getByText('text/plain')).toBeDefined();
    expect(open.getByRole('button', { name: 'Download notes.txt' }).textContent).toBe('Download');
    expect(open.getByRole('button', { name: /public URL/ })).toBeDefined();

    const closed = card('chart.png');
    expect(closed.getByText('Private')).toBeDefined();
    expect(closed.getByText('1.50 KB')).toBeDefined();
    expect(closed.queryByRole('button', { name: /public URL/ })).toBeNull();
    expect(closed.getByRole('button', { name: 'Preview chart.png' })).toBeDefined();
    expect(card('all.tar.gz').queryByRole('button', { name: /Preview/ })).toBeNull();
  });

  it('says so when the bytes are gone', async () => {
    const { user } = renderPage('/storage', { files: [PUBLIC] });
    await user.click(await screen.findByRole('button', { name: 'Download notes.txt' }));
    await waitFor(() =>
      expect(shownToast()).toEqual({
        title: 'Error',
        description: 'File data not available',
        variant: 'destructive',
      }),
    );
  });
});

describe('renaming and moving', () => {
  const OTHER = mockFile({ id: idOf(704), fileName: 'other.txt', filePath: '/notes/' });

  async function openMove(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/storage', { files: [PUBLIC, OTHER], ...state });
    await page.user.click(await screen.findByRole('button', { name: 'More actions for notes.txt' }));
    await page.user.click(await screen.findByRole('menuitem', { name: 'Rename or move' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename or move' }));
    const [name, path] = [dialog.getByLabelText('File name'), dialog.getByLabelText('Path')];
    return {
      ...page,
      dialog,
      name,
      path,
      save: dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }),
    };
  }

  it('starts from where the file is, and shows it where it went', async () => {
    const { user, dialog, name, path, save } = await openMove();
    expect(dialog.getByText('/notes/notes.txt')).toBeDefined();
    expect(save.disabled).toBe(true);
    await user.clear(name);
    await user.type(name, 'diary.txt');
    await user.clear(path);
    await user.type(path, 'diaries{Enter}');
    await screen.findByRole('heading', { name: 'diary.txt' });
    expect(card('diary.txt').getByText('/diaries/')).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'notes.txt' })).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['Replace', ['other.txt']],
    ['Keep both', ['other.txt', 'second other.txt']],
  ])('onto another asks: %s', async (choice, names) => {
    const { user, dialog, name, save, world } = await openMove();
    await user.clear(name);
    await user.type(name, 'other.txt{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toContain('other.txt already exists in /notes/');
    expect(shownToast()).toBeNull();
    expect(save.disabled).toBe(true);
    await user.click(dialog.getByRole('button', { name: choice }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.files.map(({ fileName }) => fileName).sort()).toEqual(names);
    expect(world.files.some(({ id }) => id === PUBLIC.id)).toBe(true);
  });

  it('says what is wrong beside the field', async () => {
    const message = 'File name cannot contain / or \\.';
    const fields = [{ path: 'fileName', message }];
    const { user, dialog, name } = await openMove({
      refusals: { 'storage.update': { code: 'BAD_REQUEST', reason: 'VALIDATION', message, fields } },
    });
    await user.type(name, '/x{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to move file' });
  });
});

describe('a preview', () => {
  it('shows the beginning of a text', async () => {
    const { user } = renderPage('/storage', {
      files: [{ ...PUBLIC, fileSize: 100_000 }],
      contents: { [PUBLIC.id]: 'First line\nSecond line' },
    });
    await user.click(await screen.findByRole('button', { name: 'Preview notes.txt' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'notes.txt' }));
    expect((await dialog.findByText(/First line/)).textContent).toBe('First line\nSecond line');
    expect(dialog.getByText(/Showing the first 64\.00 KB/)).toBeDefined();
  });

  it('says so when the bytes are gone', async () => {
    const { user } = renderPage('/storage', { files: [PUBLIC] });
    await user.click(await screen.findByRole('button', { name: 'Preview notes.txt' }));
    expect((await screen.findByRole('alert')).textContent).toBe('File data not available');
  });
});

describe('sharing a file', () => {
  async function openShare() {
    const page = renderPage('/storage', { files: [PUBLIC] });
    await page.user.click(await screen.findByRole('button', { name: 'More actions for notes.txt' }));
    await page.user.click(await screen.findByRole('menuitem', { name: 'Share by link' }));
    return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'Share notes.txt' })) };
  }

  it('makes a link that says when it ends', async () => {
    const { user, dialog } = await openShare();
    await user.click(dialog.getByRole('combobox', { name: 'Ends after' }));
    await user.click(await screen.findByRole('option', { name: '7 days' }));
    await user.click(dialog.getByRole('button', { name: 'Make link' }));
    const ends = Date.UTC(2026, 10, 31, 10) / 1000;
    expect(
      await dialog.findByText(new RegExp(`/files/shared/.*until=${ends}&signature=s{43}$`)),
    ).toBeDefined();
    expect(dialog.getByText(/^Good until /).textContent).toContain('Dec 1, 2026');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('ends all links after a question, and says why it cannot', async () => {
    const { user, world, dialog } = await openShare();
    await user.click(dialog.getByRole('button', { name: 'End all links' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'End links' }));
    await waitFor(() => expect(shownToast()?.title).toBe('Links ended'));
    const message = 'This file is gone.';
    world.refusals = { 'storage.share': { code: 'NOT_FOUND', reason: 'NOT_FOUND', message } };
    await user.click(dialog.getByRole('button', { name: 'Make link' }));
    expect(await dialog.findByText(message)).toBeDefined();
  });
});

describe('the versions of a file', () => {
  it('are brought back and deleted', async () => {
    const version = (number: number, fileSize: number) => ({
      ...{ id: idOf(number), fileSize, mimeType: 'text/plain' },
      uploadedAt: `2026-11-2${number % 10}T10:00:00.000Z`,
      replacedAt: '2026-11-24T10:00:00.000Z',
    });
    const { user, world } = renderPage('/storage', {
      files: [PUBLIC],
      versions: [version(712, 2048), version(711, 1024)],
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for notes.txt' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Versions' }));
    const list = within(await screen.findByRole('list', { name: 'Former versions' }));
    expect(list.getByText('· 2.00 KB')).toBeDefined();
    await user.click(list.getAllByRole('button', { name: /^Restore/ })[0] as HTMLElement);
    await waitFor(() => expect(world.versions).toHaveLength(1));
    expect(world.files[0]?.fileSize).toBe(2048);
    await user.click(await list.findByRole('button', { name: /^Delete/ }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Delete version' }));
    expect(await screen.findByText(/^No former versions/)).toBeDefined();
  });
});

describe('a folder', () => {
  const AT = '/storage?folder=%2Fart%2F';
  const inside = mockFile({ id: idOf(720), fileName: 'oil.txt', filePath: '/art/' });

  it('is made, moved and deleted with what is in it', async () => {
    const { user, world } = renderPage(AT, { files: [inside] });
    await user.click(await screen.findByRole('button', { name: 'New folder' }));
    const made = within(await screen.findByRole('dialog', { name: 'New folder' }));
    await user.type(made.getByRole('textbox', { name: /Name/ }), 'deep er');
    await user.click(made.getByRole('button', { name: 'Open folder' }));
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'deep er' }).getAttribute('aria-current')).toBe('page'),
    );
    await user.click(screen.getByRole('link', { name: 'art' }));
    await user.click(await screen.findByRole('button', { name: 'More actions for art' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename or move folder' }));
    const move = within(await screen.findByRole('dialog', { name: 'Rename or move folder' }));
    await user.clear(move.getByRole('textbox', { name: /Path/ }));
    await user.type(move.getByRole('textbox', { name: /Path/ }), 'paintings/old');
    await user.click(move.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(world.files[0]?.filePath).toBe('/paintings/old/'));

    await user.click(await screen.findByRole('button', { name: 'More actions for old' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete folder' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete folder?' }));
    await user.type(question.getByRole('textbox'), 'old');
    await user.click(question.getByRole('button', { name: 'Delete folder' }));
    await waitFor(() => expect(world.files).toEqual([]));
  });
});

describe('several files', () => {
  it('are selected up to where Shift is held, moved in lots, and what stayed can be kept beside the other', async () => {
    const files = Array.from({ length: 60 }, (_, at) =>
      mockFile({ id: idOf(800 + at), fileName: `f${at}.txt` }),
    );
    const taken = mockFile({ id: idOf(900), fileName: 'f1.txt', filePath: '/kept/' });
    const { user, world } = renderPage('/storage', { files: [...files, taken] });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    expect(screen.getByText('61 selected')).toBeDefined();
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/ selected$/)).toBeNull();
    await user.keyboard('{Control>}a{/Control}');
    await user.click(screen.getByRole('button', { name: 'Move' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move 61 files' }));
    const path = await dialog.findByRole('combobox', { name: /Path/ });
    await user.clear(path);
    await user.type(path, 'kept');
    await user.click(dialog.getByRole('button', { name: 'Move' }));
    const bar = within(screen.getByRole('region', { name: 'Selection' }));
    expect(await bar.findByText('1 file could not be moved to /kept/. 60 files were.')).toBeDefined();
    const lots = world.calls.filter((call) => call.path === 'storage.moveMany');
    expect(lots.map(({ input }) => (input as { ids: string[] }).ids.length)).toEqual([25, 25, 11]);
    await user.click(bar.getByRole('button', { name: 'Keep both' }));
    await waitFor(() => expect(world.files.every(({ filePath }) => filePath === '/kept/')).toBe(true));
    await waitFor(() => expect(bar.queryByText(/could not/)).toBeNull());
  });
});
