import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockBillingWorld } from '../test/mock-billing.ts';
import { mockDatabase, mockFile, mockProject, mockVirtualAccount } from '../test/mock-world.ts';
import { mockApi, renderPage } from '../test/render-page.tsx';

mockApi();

const QUOKKAS = {
  projects: [mockProject({ name: 'quokka-site' })],
  databases: [mockDatabase({ name: 'quokkas' })],
  files: [mockFile({ fileName: 'quokka.txt' })],
  virtualAccounts: [mockVirtualAccount({ accountName: 'Quokka fund' })],
};
const NOTHING = { projects: [], databases: [], files: [] };

const marked = () => screen.queryByRole('option', { selected: true })?.textContent;

async function open(state = {}) {
  const page = renderPage('/dns', state);
  await screen.findByRole('heading', { level: 1 });
  await page.user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('combobox');
  return page;
}

it('marks the first of what is found, whatever was marked before', async () => {
  const { user, world, router } = await open(QUOKKAS);
  await user.keyboard('quokka');
  await screen.findByRole('option', { name: /^quokka-site/ });
  expect(marked()).toMatch(/^quokka-site/);
  Object.assign(world, NOTHING);
  await user.keyboard(' nowhere');
  await screen.findByText('No results for “quokka nowhere”.');
  Object.assign(world, QUOKKAS);
  await user.keyboard('{Backspace>8/}');
  await screen.findByRole('option', { name: /^quokka-site/ });
  expect(marked()).toMatch(/^quokka-site/);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/projects\//));
});

it('shows what is found all in one, and until then what was found before, as far as it fits', async () => {
  const { user, world } = await open(QUOKKAS);
  await user.keyboard('quo');
  await screen.findByRole('option', { name: /^quokkas/ });
  const { promise, resolve } = Promise.withResolvers<void>();
  world.delays['storage.list'] = promise;
  world.databases = [mockDatabase({ name: 'quokkas-two' })];
  await user.keyboard('kkas');
  await waitFor(() => expect(screen.queryByRole('option', { name: /^quokka-site/ })).toBeNull());
  expect(within(screen.getByRole('listbox')).getAllByRole('option')).toHaveLength(1);
  expect(screen.queryByRole('option', { name: /^quokkas-two/ })).toBeNull();
  resolve();
  expect(await screen.findByRole('option', { name: /^quokkas-two/ })).toBeDefined();
});

it('stays closed over a dialog, which keeps what was typed', async () => {
  const { user } = renderPage('/dns?new=1');
  const domain = await screen.findByLabelText<HTMLInputElement>(/^Domain/);
  await user.type(domain, 'example.com');
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('combobox', { expanded: true })).toBeNull();
  expect(domain.value).toBe('example.com');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('dialog', { name: 'Command palette' })).toBeDefined();
});

it('says that it could not look', async () => {
  const refusal = {
    code: 'INTERNAL_SERVER_ERROR',
    reason: 'INTERNAL',
    message: 'Something went wrong',
  } as const;
  const { user } = await open({ refusals: { 'storage.list': refusal } });
  await user.keyboard('quokka');
  expect(await screen.findByText('Search failed. Try again in a moment.')).toBeDefined();
});

it.each(['true', 'null', '1.0'])('leads to a file named %s by its name', async (fileName) => {
  const { user, router } = await open({ files: [mockFile({ fileName })] });
  await user.keyboard(fileName);
  await user.click(await screen.findByRole('option', { name: fileName }));
  const box = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search files' });
  expect(box.value).toBe(fileName);
  // As it is after a reload.
  await router.navigate({ href: router.state.location.href });
  expect(router.state.location.search).toMatchObject({ q: fileName });
});

it('calls the page of plans by what it shows where nothing is sold', async () => {
  await open({ billing: { ...mockBillingWorld(), enabled: false } });
  expect(await screen.findByRole('option', { name: 'Usage' })).toBeDefined();
  expect(screen.queryByRole('option', { name: 'Billing' })).toBeNull();
});
