import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockPreview } from '../../test/mock-previews.ts';
import { idOf, mockDomain, mockProject, mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const project = mockProject();
const RECORDS = [
  mockRecord({ name: 'shop', recordType: 'CNAME', value: 'shop.apps.example.net' }),
  mockRecord({ id: idOf(1002) }),
];

type State = Parameters<typeof renderPage>[1];

async function askToDelete(state: State) {
  const page = renderPage(`/projects/${project.id}`, { projects: [project], ...state });
  await page.user.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete project?' }));
  const confirm = async () => {
    await page.user.type(dialog.getByRole('textbox'), project.name);
    await page.user.click(await dialog.findByRole('button', { name: 'Delete project' }));
    await waitFor(() => expect(shownToast()?.title).toBe('Project deleted'));
    return page.world.calls.find(({ path }) => path === 'projects.remove')?.input;
  };
  return { ...page, dialog, confirm };
}

it('tells what leads to a project before it is deleted, and deletes that too', async () => {
  const { dialog, confirm } = await askToDelete({ leadingRecords: RECORDS, domains: [mockDomain()] });
  expect(await dialog.findByText('2 DNS records point here')).toBeDefined();
  expect(dialog.getByText('shop.example.test CNAME shop.apps.example.net')).toBeDefined();
  expect(dialog.getByText('example.test A 192.0.2.1')).toBeDefined();
  expect(await dialog.findByText('The app no longer answers at shop.example.com.')).toBeDefined();
  expect(await confirm()).toEqual({ id: project.id, deleteRecords: true });
});

it('leaves the records where that is chosen', async () => {
  const { user, dialog, confirm } = await askToDelete({ leadingRecords: RECORDS });
  await user.click(await dialog.findByRole('switch', { name: 'Delete these records too' }));
  expect(await confirm()).toEqual({ id: project.id, deleteRecords: false });
});

it('says nothing of records where none lead there', async () => {
  const { dialog, confirm } = await askToDelete({});
  expect(await confirm()).toEqual({ id: project.id, deleteRecords: false });
  expect(dialog.queryByRole('switch')).toBeNull();
});

it('speaks of previews where there are some', async () => {
  const { dialog } = await askToDelete({});
  expect(await dialog.findByText(/The Git repository is not affected/)).toBeDefined();
  expect(dialog.queryByText(/previews/)).toBeNull();
  cleanup();
  const other = await askToDelete({ previews: [mockPreview()] });
  expect(await other.dialog.findByText(/Its previews are deleted as well/)).toBeDefined();
});

it('tells what leads to a domain before it is removed', async () => {
  const state = { projects: [project], domains: [mockDomain()], leadingRecords: RECORDS.slice(0, 1) };
  const { user, world } = renderPage(`/projects/${project.id}/settings`, state);
  await user.click(await screen.findByRole('button', { name: 'Remove shop.example.com' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove shop.example.com?' }));
  expect(await question.findByText('1 DNS record points here')).toBeDefined();
  await user.click(question.getByRole('button', { name: 'Remove domain' }));
  await waitFor(() => expect(shownToast()?.title).toBe('Domain removed'));
  const called = (name: string) => world.calls.find(({ path }) => path === name)?.input;
  const of = { id: project.id, domain: 'shop.example.com' };
  expect(called('customDomains.records')).toEqual(of);
  expect(called('customDomains.remove')).toEqual({ ...of, deleteRecords: true });
});
