import type { Bucket } from '@nephos/contracts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { idOf, mockFile } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();
afterEach(() => localStorage.clear());

const BUCKET: Bucket = {
  ...{ id: idOf(9602), name: 'films', isPublic: false, versioning: 'off' },
  createdAt: '2026-11-01T10:00:00.000Z',
};

const AT = `/storage?bucket=${BUCKET.id}`;

it('sends a file in parts, and after a failure only what is missing', async () => {
  const { user, world } = renderPage(AT, { buckets: [BUCKET], refusedPart: 2 });
  const film = new File(['0123456789'], 'film.mp4', { type: 'video/mp4', lastModified: 1 });
  await user.upload(await screen.findByLabelText('Files to upload'), film);
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  expect(await tray.findByText(/^No room\./)).toBeDefined();
  expect(world.sentParts).not.toContain(2);

  world.refusedPart = null;
  const sent = world.sentParts.length;
  await user.click(tray.getByRole('button', { name: 'Resume film.mp4' }));
  expect(await tray.findByText('All files uploaded')).toBeDefined();
  expect([...world.sentParts].sort()).toEqual([1, 2, 3]);
  expect(world.sentParts.slice(sent)).toContain(2);
  expect(world.files).toContainEqual(expect.objectContaining({ fileName: 'film.mp4', fileSize: 10 }));
  expect(localStorage.getItem('uploads')).toBe('{}');

  // Whoever comes back later to what was stored asks for it once.
  cleanup();
  const later = renderPage(AT, { buckets: [BUCKET] });
  const again = within(await screen.findByRole('region', { name: 'Uploads' }));
  await waitFor(() => expect(later.queryClient.isFetching()).toBe(0));
  expect(later.world.calls.filter(({ path }) => path === 'storage.list')).toHaveLength(1);
  await user.click(again.getByRole('button', { name: 'Clear finished' }));
  expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
});

it('goes on after a reload with what has arrived, and gives up what is cancelled', async () => {
  const file = { name: 'film.mp4', size: 10, modified: 1 };
  const name = JSON.stringify([file.name, file.size, file.modified, '/', BUCKET.id]);
  const id = idOf(9700);
  localStorage.setItem('uploads', JSON.stringify({ [name]: { id, partSize: 4, begunAt: Date.now() } }));
  const { user, world } = renderPage(AT, {
    ...{ buckets: [BUCKET], refusedPart: 3 },
    uploads: [
      {
        id,
        fileName: file.name,
        filePath: '/',
        bucketId: BUCKET.id,
        parts: new Map([
          [1, 4],
          [2, 3],
        ]),
      },
    ],
  });
  const film = new File(['0123456789'], file.name, { lastModified: file.modified });
  await user.upload(await screen.findByLabelText('Files to upload'), film);
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  expect(await tray.findByText(/^No room\./)).toBeDefined();
  // The second part had not arrived whole.
  await waitFor(() => expect(world.sentParts).toEqual([2]));
  await user.click(tray.getByRole('button', { name: 'Cancel film.mp4' }));
  await waitFor(() => expect(world.uploads).toEqual([]));
  expect(localStorage.getItem('uploads')).toBe('{}');
});

it('sends nothing of what was paused while it began, and then goes on with the same', async () => {
  const gate = Promise.withResolvers<void>();
  const { user, world } = renderPage(AT, { buckets: [BUCKET], uploadGate: gate.promise });
  const file = new File(['0123456789'], 'early.mp4', { lastModified: 2 });
  await user.upload(await screen.findByLabelText('Files to upload'), file);
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  await user.click(await tray.findByRole('button', { name: 'Pause early.mp4' }));
  gate.resolve();
  await waitFor(() => expect(world.uploads).toHaveLength(1));
  await user.click(tray.getByRole('button', { name: 'Resume early.mp4' }));
  expect(await tray.findByText('All files uploaded')).toBeDefined();
  expect([...world.sentParts].sort()).toEqual([1, 2, 3]);
  expect(world.files).toHaveLength(1);
  expect(world.uploads).toEqual([]);
  await user.click(tray.getByRole('button', { name: 'Clear finished' }));
});

it('asks what becomes of files that are there, before it sends any of them', async () => {
  const names = ['one.txt', 'two.txt'];
  const files = names.map((fileName, at) => mockFile({ id: idOf(9710 + at), fileName, filePath: '/' }));
  const { user, world } = renderPage(AT, { buckets: [BUCKET], files });
  const chosen = [...names, 'three.txt'].map((name) => new File(['0123456789'], name, { lastModified: 9 }));
  await user.upload(await screen.findByLabelText('Files to upload'), chosen);
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  await tray.findByRole('button', { name: 'Replace all' });
  expect(await tray.findByText(/^Uploaded/)).toBeDefined();
  expect(world.sentParts).toHaveLength(3);
  await user.click(tray.getByRole('button', { name: 'Keep both of one.txt' }));
  await user.click(tray.getByRole('button', { name: 'Replace two.txt' }));
  expect(await tray.findByText('All files uploaded')).toBeDefined();
  expect(world.sentParts).toHaveLength(9);
  expect(
    world.calls
      .flatMap(({ path, input }) =>
        path === 'storageUploads.complete' ? [(input as { ifExists: string }).ifExists] : [],
      )
      .sort(),
  ).toEqual(['refuse', 'rename', 'replace']);
  await user.click(tray.getByRole('button', { name: 'Clear finished' }));
});

it('gives up what was cancelled while it began', async () => {
  const gate = Promise.withResolvers<void>();
  const { user, world } = renderPage(AT, { buckets: [BUCKET], uploadGate: gate.promise });
  const file = new File(['0123456789'], 'never.mp4', { lastModified: 3 });
  await user.upload(await screen.findByLabelText('Files to upload'), file);
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  await user.click(await tray.findByRole('button', { name: 'Cancel never.mp4' }));
  gate.resolve();
  await waitFor(() => expect(world.calls.some(({ path }) => path === 'storageUploads.abort')).toBe(true));
  await waitFor(() => expect(world.uploads).toEqual([]));
  expect(world.sentParts).toEqual([]);
  expect(localStorage.getItem('uploads')).toBe('{}');
});

it('shows after a reload what is unfinished, and goes on with the very file alone', async () => {
  const id = idOf(9702);
  const name = JSON.stringify(['film.mp4', 10, 1, '/', BUCKET.id]);
  localStorage.setItem('uploads', JSON.stringify({ [name]: { id, partSize: 4, begunAt: Date.now() } }));
  const upload = { id, fileName: 'film.mp4', filePath: '/', bucketId: BUCKET.id };
  const { user, world } = renderPage(AT, {
    buckets: [BUCKET],
    uploads: [{ ...upload, parts: new Map([[1, 4]]) }],
  });
  const rows = within(await screen.findByRole('list', { name: 'Unfinished uploads' }));
  expect(rows.getByText('film.mp4').textContent).toContain('4 B of 10 B');
  const input = rows.getByLabelText('File to go on with: film.mp4');
  await user.upload(input, new File(['abcdefghij'], 'film.mp4', { lastModified: 2 }));
  expect(await screen.findByText('This is another file')).toBeDefined();
  await user.upload(input, new File(['0123456789'], 'film.mp4', { lastModified: 1 }));
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  expect(await tray.findByText('All files uploaded')).toBeDefined();
  expect([...world.sentParts].sort()).toEqual([2, 3]);
  expect(screen.queryByRole('list', { name: 'Unfinished uploads' })).toBeNull();
  await user.click(tray.getByRole('button', { name: 'Clear finished' }));
});

it('discards what is unfinished', async () => {
  const id = idOf(9703);
  const name = JSON.stringify(['film.mp4', 10, 1, '/', BUCKET.id]);
  localStorage.setItem('uploads', JSON.stringify({ [name]: { id, partSize: 4, begunAt: Date.now() } }));
  const upload = { id, fileName: 'film.mp4', filePath: '/', bucketId: BUCKET.id };
  const { user, world } = renderPage(AT, { buckets: [BUCKET], uploads: [{ ...upload, parts: new Map() }] });
  await user.click(await screen.findByRole('button', { name: 'Discard the upload of film.mp4' }));
  await waitFor(() => expect(world.uploads).toEqual([]));
  expect(screen.queryByRole('list', { name: 'Unfinished uploads' })).toBeNull();
  expect(localStorage.getItem('uploads')).toBe('{}');
});

it('knows a file that was finished although the answer was lost', async () => {
  const id = idOf(9701);
  const name = JSON.stringify(['film.mp4', 10, 1, '/', BUCKET.id]);
  localStorage.setItem('uploads', JSON.stringify({ [name]: { id, partSize: 4, begunAt: Date.now() } }));
  const { user, world } = renderPage(AT, {
    buckets: [BUCKET],
    files: [mockFile({ id, fileName: 'film.mp4' })],
  });
  const film = new File(['0123456789'], 'film.mp4', { lastModified: 1 });
  await user.upload(await screen.findByLabelText('Files to upload'), film);
  const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
  expect(await tray.findByText('All files uploaded')).toBeDefined();
  expect(world.sentParts).toEqual([]);
  expect(world.files).toHaveLength(1);
});

it('leads from folder to folder', async () => {
  const at = (filePath: string, number: number) =>
    mockFile({ id: idOf(number), fileName: `${number}.txt`, filePath });
  const { user } = renderPage('/storage?folder=%2F', {
    files: [at('/art/', 801), at('/art/oil/', 802), at('/zoo/', 803)],
  });
  const folders = await screen.findByRole('list', { name: 'Folders' });
  await user.click(within(folders).getByRole('link', { name: 'art' }));
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'art' }).getAttribute('aria-current')).toBe('page'),
  );
  expect(await screen.findByRole('link', { name: 'oil' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'zoo' })).toBeNull();
});
