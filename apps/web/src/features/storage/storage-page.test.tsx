import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { idOf, mockFile, UNAUTHORIZED } from '../../test/mock-world.ts';
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
  it('offers the first step while there is nothing', async () => {
    const { user } = renderPage('/storage');
    expect(await screen.findByRole('heading', { name: 'No files yet' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Cloud Storage' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Upload your first file' }));
    expect(await screen.findByRole('dialog', { name: 'Upload File' })).toBeDefined();
  });

  it('shows three skeleton cards while the files load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/storage', { delays: { 'storage.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No files yet');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });

  it('leads to the login page when the session is over', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    renderPage('/storage', { refusals: { 'storage.list': UNAUTHORIZED } });
    expect(await left.promise).toBe('/api/login?returnTo=%2Fstorage');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized', variant: 'destructive' });
  });

  it('fetches a page at a time, and says when more cannot be had', async () => {
    const files = Array.from({ length: 100 }, (_, index) =>
      mockFile({ id: idOf(9000 - index), fileName: `file-${index}` }),
    );
    const { user, world } = renderPage('/storage', { files });
    const list = await screen.findByRole('list', { name: 'Files' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(60);
    world.refusals['storage.list'] = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'No.' };
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect((await screen.findByRole('alert')).textContent).toBe('More files could not be loaded.');
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(100));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});

describe('a file card', () => {
  it('says everything that the specification asks for', async () => {
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

  it('hands a file to the browser', async () => {
    const { user } = renderPage('/storage', { files: [PUBLIC], contents: { [PUBLIC.id]: 'Hello' } });
    const saved = Promise.withResolvers<HTMLAnchorElement>();
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.resolve(this);
    });
    await user.click(await screen.findByRole('button', { name: 'Download notes.txt' }));
    const link = await saved.promise;
    expect(link.getAttribute('href')).toBe(`/api/storage/${PUBLIC.id}/download`);
    expect(link.download).toBe('notes.txt');
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

  it('becomes public and private again', async () => {
    const { user, world } = renderPage('/storage', { files: [mockFile()] });
    await user.click(await screen.findByRole('button', { name: 'More actions for chart.png' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Make public' }));
    expect(await card('chart.png').findByText('Public')).toBeDefined();
    expect(world.files[0]?.isPublic).toBe(true);
    expect(shownToast()?.title).toBe('File made public');
    expect(card('chart.png').getByRole('button', { name: /public URL/ })).toBeDefined();
  });

  it('is deleted once its name was typed', async () => {
    const { user, world } = renderPage('/storage', { files: [mockFile()] });
    await user.click(await screen.findByRole('button', { name: 'More actions for chart.png' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete File?' }));
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete file' });
    expect(confirm.disabled).toBe(true);
    await user.type(dialog.getByRole('textbox'), 'chart.png');
    await user.click(confirm);
    expect(await screen.findByText('No files yet')).toBeDefined();
    expect(world.files).toEqual([]);
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
    expect(dialog.getByText(/These are the first 64\.00 KB/)).toBeDefined();
  });

  it('says so when the bytes are gone', async () => {
    const { user } = renderPage('/storage', { files: [PUBLIC] });
    await user.click(await screen.findByRole('button', { name: 'Preview notes.txt' }));
    expect((await screen.findByRole('alert')).textContent).toBe('File data not available');
  });

  it('shows an image from our own address', async () => {
    const { user } = renderPage('/storage', { files: [mockFile()] });
    await user.click(await screen.findByRole('button', { name: 'Preview chart.png' }));
    const image = await screen.findByRole('img', { name: 'chart.png' });
    expect(image.getAttribute('src')).toBe(`/api/storage/${idOf(701)}/download?inline=1`);
  });
});
