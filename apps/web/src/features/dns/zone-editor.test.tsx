import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf, mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const WWW = mockRecord({ id: idOf(1001), name: 'www', recordType: 'CNAME', value: 'www.other.test' });
const MAIL = mockRecord({ id: idOf(1002), recordType: 'MX', value: '10 mail.other.test' });

async function openEditor() {
  const page = renderPage('/dns?domain=example.test', { records: [WWW, MAIL] });
  await page.user.click(await screen.findByRole('button', { name: 'Bulk edit' }));
  const editor = within(await screen.findByRole('region', { name: 'Records of example.test' }));
  await editor.findByRole('button', { name: 'Delete CNAME www.example.test' });
  const press = (name: string) => page.user.click(editor.getByRole('button', { name }));
  const summary = () => editor.getByRole('status').textContent;
  return { ...page, editor, press, summary };
}

type Editor = Awaited<ReturnType<typeof openEditor>>;

async function addRecord({ press, user }: Editor, name: string, value: string) {
  await press('Add record');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add record' }));
  await user.clear(dialog.getByLabelText('Name'));
  await user.type(dialog.getByLabelText('Name'), name);
  await user.type(dialog.getByLabelText('Value'), value);
  await user.click(dialog.getByRole('button', { name: 'Add' }));
}

async function changeMail({ press, user }: Editor, value: string) {
  await press('Edit MX example.test');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit record' }));
  await user.clear(dialog.getByLabelText('Value'));
  await user.type(dialog.getByLabelText('Value'), value);
  await user.click(dialog.getByRole('button', { name: 'Change' }));
}

it('collects edits, shows what they change, and saves them at once', async () => {
  const page = await openEditor();
  const { user, press, summary, world } = page;
  expect(summary()).toBe('No edits yet');
  await press('Delete CNAME www.example.test');
  await addRecord(page, 'WWW', '192.0.2.9');
  await changeMail(page, '20 MAIL.other.test');
  expect(summary()).toBe('1 added, 1 changed, 1 deleted');
  expect(world.calls.filter(({ path }) => path === 'dns.edit')).toEqual([]);
  await press('Review');
  const review = within(await screen.findByRole('dialog', { name: 'Review changes' }));
  for (const line of [
    '+ www 3600 A 192.0.2.9',
    '~ @ 3600 MX 20 mail.other.test (value was 10 mail.other.test)',
    '− www 3600 CNAME www.other.test',
  ]) {
    expect(review.getByText(line)).toBeDefined();
  }
  await user.click(review.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Bulk edit' });
  expect(shownToast()?.title).toBe('DNS records saved');
  expect(world.calls.find(({ path }) => path === 'dns.edit')?.input).toEqual({
    domain: 'example.test',
    serial: 1,
    edits: [
      { action: 'delete', id: WWW.id },
      { action: 'change', id: MAIL.id, value: '20 mail.other.test' },
      { action: 'add', recordType: 'A', name: 'www', value: '192.0.2.9', ttl: 3600 },
    ],
  });
});

it('takes edits back, one by one, and what is typed as it was is none', async () => {
  const page = await openEditor();
  const { press, summary } = page;
  await addRecord(page, 'new', '192.0.2.9');
  await press('Delete MX example.test');
  expect(summary()).toBe('1 added, 1 deleted');
  await press('Undo the edit of MX example.test');
  await press('Undo the edit of A new.example.test');
  expect(summary()).toBe('No edits yet');
  await changeMail(page, '10 mail.other.TEST');
  expect(summary()).toBe('No edits yet');
});

it('says plainly that somebody else changed the domain, and keeps the edits', async () => {
  const page = await openEditor();
  const { user, press, world } = page;
  await press('Delete CNAME www.example.test');
  await changeMail(page, '20 mail.other.test');
  await press('Review');
  const review = within(await screen.findByRole('dialog', { name: 'Review changes' }));
  const message = 'example.test has changed since. Look at it again.';
  world.refusals['dns.edit'] = { code: 'CONFLICT', reason: 'ZONE_CHANGED', message };
  world.records = [MAIL];
  await user.click(review.getByRole('button', { name: 'Save' }));
  expect((await review.findByRole('alert')).textContent).toBe(message);
  // The record that is gone needs no deletion any more.
  await review.findByText(/^example\.test: 1 changed\. /);
  world.refusals = {};
  await user.click(review.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Bulk edit' });
  const saved = world.calls.findLast(({ path }) => path === 'dns.edit')?.input;
  expect(saved).toMatchObject({ edits: [{ action: 'change', id: MAIL.id }] });
});

it('says a rule that the edits break, whatever it is about', async () => {
  const page = await openEditor();
  const { user, press, world } = page;
  await addRecord(page, 'new', '192.0.2.9');
  await press('Review');
  const review = within(await screen.findByRole('dialog', { name: 'Review changes' }));
  const message = 'TTL must be a whole number of seconds from 60 to 604800.';
  world.refusals['dns.edit'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
    fields: [{ path: 'edits.0.ttl', message }],
  };
  await user.click(review.getByRole('button', { name: 'Save' }));
  expect((await review.findByRole('alert')).textContent).toBe(message);
});

it('asks before edits are lost, by leaving or by discarding', async () => {
  const page = await openEditor();
  const { user, press, router, summary } = page;
  await press('Delete CNAME www.example.test');
  void router.navigate({ to: '/storage' });
  let question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
  await user.click(question.getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([router.state.location.pathname, summary()]).toEqual(['/dns', '1 deleted']);
  await press('Discard');
  question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
  await user.click(question.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByRole('button', { name: 'Bulk edit' })).toBeDefined();
});

it('leaves without a question while there is nothing to lose', async () => {
  const { press } = await openEditor();
  await press('Close');
  expect(await screen.findByRole('button', { name: 'Bulk edit' })).toBeDefined();
});

it('is offered for one domain at a time', async () => {
  renderPage('/dns', { records: [WWW, mockRecord({ id: idOf(1003), domain: 'other.test' })] });
  await screen.findByRole('button', { name: 'History' });
  expect(screen.queryByRole('button', { name: 'Bulk edit' })).toBeNull();
});
