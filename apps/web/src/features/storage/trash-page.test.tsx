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
  const { user, world } = renderPage('/storage/trash', { trash: [trashed(1), trashed(2), trashed(3)] });
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
