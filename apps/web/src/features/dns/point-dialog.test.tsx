import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockProject, mockRecord } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const project = mockProject();
const CNAME = mockRecord({
  ...{ name: 'www', recordType: 'CNAME', value: 'shop.apps.example.net', projectId: project.id },
});

async function openDialog(state: Parameters<typeof renderPage>[1]) {
  const page = renderPage('/dns?domain=example.test', state);
  await page.user.click(await screen.findByRole('button', { name: 'Add Record' }));
  await page.user.click(await screen.findByRole('button', { name: 'Point to an app instead' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Point to an app' }));
  return { ...page, dialog };
}

it('points a name to an app', async () => {
  const state = { projects: [project], records: [CNAME], leadingRecords: [CNAME] };
  const { user, dialog, world } = await openDialog(state);
  const name = dialog.getByLabelText<HTMLInputElement>('Full name');
  expect(name.value).toBe('example.test');
  await user.clear(name);
  await user.type(name, 'www.example.test');
  const set = dialog.getByRole<HTMLButtonElement>('button', { name: 'Set records' });
  expect(set.disabled).toBe(true);
  await user.click(dialog.getByRole('combobox', { name: 'App' }));
  await user.click(await screen.findByRole('option', { name: project.name }));
  const message = 'None of your domains here includes www.example.test. Set its records at its DNS provider.';
  world.refusals['customDomains.point'] = { code: 'CONFLICT', reason: 'NO_ZONE', message };
  await user.click(set);
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  world.refusals = {};
  await user.click(set);
  await waitFor(() => expect(shownToast()?.title).toBe('DNS records set'));
  expect(world.calls.findLast(({ path }) => path === 'customDomains.point')?.input).toEqual({
    id: project.id,
    name: 'www.example.test',
  });
  expect(screen.getByText('Follows app')).toBeDefined();
});

it('says that there is no app to point to', async () => {
  const { dialog } = await openDialog({ projects: [] });
  expect(await dialog.findByText('No projects yet')).toBeDefined();
});
