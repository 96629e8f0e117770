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
  expect(commands.textContent).toContain('aws configure set default.s3.signature_version s3v4');
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
  const domains = within(await screen.findByRole('region', { name: 'Domains' }));
  expect(await domains.findByText('Pending')).toBeDefined();
  expect(domains.getByText('sites.apps.example.net')).toBeDefined();
  await user.click(domains.getByRole('button', { name: 'Remove www.example.com' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Remove domain' }));
  await waitFor(() => expect(world.domains).toEqual([]));
});

const RULED: Bucket = {
  ...{ id: idOf(9604), name: 'logs', isPublic: false, versioning: 'off', createdAt: CREATED },
};

it('says what a bucket’s rules do, and adds, changes and deletes them', async () => {
  const tagged = { id: 'tagged', isEnabled: false, prefix: '', tags: { a: 'b' }, expiry: { days: 1 } };
  const { user, world } = renderPage(`/storage/buckets/${RULED.id}`, {
    buckets: [RULED],
    bucketRules: { lifecycle: [tagged], cors: [] },
  });
  const rules = within(await screen.findByRole('region', { name: 'Lifecycle rules' }));
  expect(await rules.findByText('Files tagged a=b are deleted after 1 day.')).toBeDefined();
  expect(rules.getByText('Off')).toBeDefined();
  await user.click(rules.getByRole('button', { name: 'Add lifecycle rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add lifecycle rule' }));
  const add = dialog.getByRole<HTMLButtonElement>('button', { name: 'Add rule' });
  await user.type(await dialog.findByRole('textbox', { name: /Path begins with/ }), 'daily/');
  expect(add.disabled).toBe(true);
  await user.type(dialog.getByRole('spinbutton', { name: /Delete files after days/ }), '30');
  world.refusals['buckets.setLifecycle'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
    fields: [{ path: 'rules.1.expiry.days', message: 'Days have to be less.' }],
  };
  await user.click(add);
  expect(await dialog.findByText('Days have to be less.')).toBeDefined();
  delete world.refusals['buckets.setLifecycle'];
  await user.click(add);
  const added = 'Files whose path begins with daily/ are deleted after 30 days.';
  expect(await rules.findByText(added)).toBeDefined();

  await user.click(rules.getByRole('button', { name: 'Edit tagged' }));
  const edited = within(await screen.findByRole('dialog', { name: 'Edit lifecycle rule' }));
  expect(await edited.findByText('An S3 client set more of this rule, which stays')).toBeDefined();
  await user.click(edited.getByRole('switch', { name: 'On' }));
  await user.click(edited.getByRole('button', { name: 'Save rule' }));
  await waitFor(() => expect(world.bucketRules.lifecycle[0]).toEqual({ ...tagged, isEnabled: true }));

  await user.click(await rules.findByRole('button', { name: 'Delete tagged' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Delete rule' }));
  await waitFor(() => expect(world.bucketRules.lifecycle).toMatchObject([{ prefix: 'daily/' }]));
});

it('names the pages that may call a bucket, line by line', async () => {
  const { user, world } = renderPage(`/storage/buckets/${RULED.id}`, { buckets: [RULED] });
  const rules = within(await screen.findByRole('region', { name: 'CORS rules' }));
  await user.click(await rules.findByRole('button', { name: 'Add CORS rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add CORS rule' }));
  const origins = await dialog.findByRole('textbox', { name: /Origins/ });
  await user.type(origins, 'https://a.example.com{Enter}https://b.example.com');
  await user.click(dialog.getByRole('checkbox', { name: 'PUT' }));
  await user.click(dialog.getByRole('button', { name: 'Add rule' }));
  expect(
    await rules.findByText(
      'Pages of https://a.example.com or https://b.example.com may send GET, HEAD, and PUT.',
    ),
  ).toBeDefined();
  expect(world.bucketRules.cors).toMatchObject([
    { origins: ['https://a.example.com', 'https://b.example.com'], methods: ['GET', 'HEAD', 'PUT'] },
  ]);
});

it('says beforehand what the console’s own bucket and a viewer may not', async () => {
  const uploads: Bucket = { ...RULED, name: 'uploads' };
  renderPage(`/storage/buckets/${RULED.id}`, { buckets: [uploads] });
  const cors = await screen.findByRole('button', { name: 'Add CORS rule' });
  expect(cors.getAttribute('aria-disabled')).toBe('true');
  const open = screen.getByRole('button', { name: 'Make public' });
  expect(open.getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByText('Web site')).toBeNull();
});
