import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const trashed = (number: number) => ({
  ...{ id: idOf(number), bucketId: idOf(9600), fileName: `${number}.txt`, filePath: '/uploads/' },
  ...{ fileSize: 10, mimeType: 'text/plain', trashedAt: '2026-11-23T10:00:00.000Z' },
  isKept: false,
});

it('brings deleted files back, or deletes them for good', async () => {
  const { user, world } = renderPage('/storage/trash', {
    trash: [trashed(1), trashed(2), trashed(3)],
    buckets: [
      {
        id: idOf(9600),
        name: 'art',
        isPublic: false,
        versioning: 'off',
        createdAt: '2026-11-20T10:00:00.000Z',
      },
    ],
  });
  expect(await screen.findAllByText(/art · /)).toHaveLength(3);
  await user.click(await screen.findByRole('button', { name: 'Restore 1.txt' }));
  await waitFor(() => expect(world.files[0]).toMatchObject({ fileName: '1.txt' }));
  await waitFor(() => expect(screen.queryByText('1.txt')).toBeNull());

  await user.click(screen.getByRole('button', { name: 'Delete for good: 2.txt' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Delete for good' }));
  await waitFor(() => expect(world.trash).toMatchObject([{ fileName: '3.txt' }]));

  await user.click(screen.getByRole('button', { name: 'Empty Trash' }));
  const all = within(await screen.findByRole('alertdialog'));
  await user.click(all.getByRole('button', { name: 'Empty trash' }));
  expect(await screen.findByText('The trash is empty')).toBeDefined();
});

it('restores and deletes several at once, and tells what could not be', async () => {
  const { user, world } = renderPage('/storage/trash', { trash: [1, 2, 3, 4].map(trashed) });
  await user.click(await screen.findByRole('checkbox', { name: 'Select 1.txt' }));
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select 3.txt' }));
  await user.keyboard('{/Shift}');
  expect(screen.getByText('3 selected')).toBeDefined();
  const bar = within(screen.getByRole('region', { name: 'Selection' }));
  world.refusals['storageTrash.restoreMany'] = {
    ...{ code: 'FORBIDDEN', reason: 'QUOTA_EXCEEDED', message: 'There is no room.' },
  };
  await user.click(bar.getByRole('button', { name: 'Restore' }));
  expect(await bar.findByText('3 files could not be restored. Nothing was done.')).toBeDefined();
  expect(bar.getAllByText(/There is no room\./)).toHaveLength(3);
  delete world.refusals['storageTrash.restoreMany'];
  await user.click(bar.getByRole('button', { name: 'Try again' }));
  await waitFor(() =>
    expect(world.files.map(({ fileName }) => fileName)).toEqual(['3.txt', '2.txt', '1.txt']),
  );
  await waitFor(() => expect(screen.queryByText('1.txt')).toBeNull());

  await user.click(bar.getByRole('checkbox', { name: 'Select all' }));
  await user.click(bar.getByRole('button', { name: 'Delete for good' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete 1 file for good?' }));
  await user.click(question.getByRole('button', { name: 'Delete for good' }));
  expect(await screen.findByText('The trash is empty')).toBeDefined();
});
