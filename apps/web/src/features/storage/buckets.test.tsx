import type { Bucket } from '@nephos/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const CREATED = '2026-11-01T10:00:00.000Z';

it('makes a bucket and leads to it, where clients are told how to connect', async () => {
  const { user, world } = renderPage('/storage/buckets');
  await user.click(await screen.findByRole('button', { name: 'New Bucket' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Bucket' }));
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'team-backups');
  await user.click(dialog.getByRole('switch', { name: 'Keep versions' }));
  await user.click(dialog.getByRole('button', { name: 'Create bucket' }));
  expect(await screen.findByRole('heading', { name: 'team-backups', level: 1 })).toBeDefined();
  expect(world.buckets.at(-1)).toMatchObject({
    name: 'team-backups',
    versioning: 'enabled',
    isPublic: false,
  });
  const commands = screen.getByRole('region', { name: 'Commands for AWS CLI' });
  expect(commands.textContent).toContain('aws --endpoint-url http://localhost:3000 s3 ls s3://team-backups');

  await user.click(screen.getByRole('button', { name: 'Make public' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Make public' }));
  expect(await screen.findByText('http://s3.localhost:3000/team-backups/')).toBeDefined();
});

it('shows the secret half of an access key once, and forgets it', async () => {
  const bucket = {
    id: idOf(9601),
    name: 'art',
    isPublic: false,
    versioning: 'off',
    createdAt: CREATED,
  } as const;
  const { user, world, queryClient } = renderPage('/storage/keys', { buckets: [bucket] });
  await user.click(await screen.findByRole('button', { name: 'Create your first access key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Access Key' }));
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'nightly');
  await user.click(dialog.getByRole('button', { name: 'Create access key' }));
  expect(await dialog.findAllByText('made'.repeat(10))).toHaveLength(1);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  const kept = () =>
    JSON.stringify(
      queryClient
        .getMutationCache()
        .getAll()
        .map(({ state }) => state.data),
    );
  await waitFor(() => expect(kept()).not.toContain('mademade'));

  const row = within(await screen.findByRole('list', { name: 'Access keys' }));
  expect(row.getByText('All buckets')).toBeDefined();
  await user.click(row.getByRole('button', { name: 'Delete' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.type(question.getByRole('textbox'), 'nightly');
  await user.click(question.getByRole('button', { name: 'Delete access key' }));
  await waitFor(() => expect(world.storageKeys).toEqual([]));
});

it('serves a public bucket as a web site, and says what the records of its domain have to be', async () => {
  const bucket: Bucket = {
    ...{ id: idOf(9603), name: 'pages', isPublic: true, versioning: 'off', createdAt: CREATED },
  };
  const { user, world } = renderPage(`/storage/buckets/${bucket.id}`, { buckets: [bucket] });
  await user.click(await screen.findByRole('button', { name: 'Turn on' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Web site' }));
  await user.clear(dialog.getByRole('textbox', { name: /Error page/ }));
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));
  await waitFor(() => expect(world.site).toEqual({ index: 'index.html', notFound: null }));
  await user.click(await screen.findByRole('button', { name: 'Add domain' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Add domain' }));
  await user.type(asked.getByRole('textbox', { name: /Domain/ }), 'www.example.com');
  await user.click(asked.getByRole('button', { name: 'Add domain' }));
  const domains = within(await screen.findByRole('list', { name: 'Domains' }));
  expect(domains.getByText('Pending')).toBeDefined();
  expect(domains.getByText('sites.apps.example.net')).toBeDefined();
  await user.click(domains.getByRole('button', { name: 'Remove www.example.com' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Remove domain' }));
  await waitFor(() => expect(world.domains).toEqual([]));
});
