import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockInstallation, mockItem, mockMobileApp, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { dismissToast, toastStore } from '../../ui/toast.ts';
import { BROKEN, card, FULL_STACK, INSTALLED, SITE } from './marketplace-fixtures.ts';

mockApi();
beforeEach(() => dismissToast());

const SENTENCE = 'Your trial has ended. Subscribe to a plan to continue installing marketplace items.';

function isAnnounced(): boolean {
  return toastStore.get()?.open ?? false;
}

async function openStream() {
  return vi.waitFor(() => {
    const opened = FakeEventSource.of('marketplace.changes');
    if (!opened) throw new Error('Nobody listens');
    return opened;
  });
}

async function openDialog(state: Parameters<typeof renderPage>[1] = {}, name = FULL_STACK.name) {
  const page = renderPage('/marketplace', { items: [FULL_STACK, SITE], ...state });
  await page.user.click(await screen.findByRole('button', { name: `Install ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: `Install ${name}` }));
  return { ...page, dialog, install: dialog.getByRole<HTMLButtonElement>('button', { name: 'Install' }) };
}

describe('the install dialog', () => {
  it('shows what it creates and needs, and asks its questions from their defaults', async () => {
    const { dialog, install, router } = await openDialog();
    expect(dialog.getByText('A page, an API and a database.')).toBeDefined();
    const creates = within(dialog.getByRole('list', { name: 'What it creates' }));
    expect(creates.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'PostgreSQL databaseDatabase',
      'Project from the full-stack templateProject',
    ]);
    const needs = within(dialog.getByRole('list', { name: 'What it needs' }));
    expect(needs.getByRole('listitem').textContent).toBe('PostgreSQL databases: available');
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Full-stack app');
    expect(dialog.getByText('Of both.')).toBeDefined();
    expect(dialog.getByPlaceholderText('For whoever opens it')).toBeDefined();
    expect(install.disabled).toBe(false);
    expect(router.state.location.search).toEqual({ install: FULL_STACK.id });
  });

  it('has no part about needs where there are none', async () => {
    const { dialog } = await openDialog({}, SITE.name);
    expect(dialog.queryByText('What it needs')).toBeNull();
  });

  it('wants what is required, by keyboard alone, and gives the focus back', async () => {
    const { user, dialog, install, world } = await openDialog();
    const name = dialog.getByLabelText<HTMLInputElement>('Name');
    expect(document.activeElement).toBe(name);
    await user.clear(name);
    await user.keyboard('   {Enter}');
    expect(install.disabled).toBe(true);
    expect(world.calls.some(({ path }) => path === 'marketplace.install')).toBe(false);
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Install Full-stack starter' }));

    await user.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Install Full-stack starter' });
    await user.clear(screen.getByLabelText('Name'));
    await user.keyboard('Notes{Tab}hello{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.calls.find(({ path }) => path === 'marketplace.install')?.input).toEqual({
      id: FULL_STACK.id,
      inputs: { name: 'Notes', note: 'hello' },
    });
  });

  it('asks anew what this server can make', async () => {
    const lacking = mockItem({
      needs: [{ label: 'Python', available: false, reason: 'Install python3 on the server.' }],
    });
    const page = renderPage('/marketplace', { items: [lacking] });
    const open = await screen.findByRole('button', { name: `Install ${lacking.name}` });
    page.world.items = [mockItem({ needs: [{ label: 'Python', available: true, reason: '' }] })];
    await page.user.click(open);
    const dialog = within(await screen.findByRole('dialog', { name: /^Install / }));
    await waitFor(() =>
      expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Install' }).disabled).toBe(false),
    );
  });

  it('says that the trial has ended, before one tries', async () => {
    const user = mockUser({ trialActive: false, trialEndDate: '2026-11-01T00:00:00.000Z' });
    const { dialog, install } = await openDialog({ user });
    expect(dialog.getByText('Subscription Required')).toBeDefined();
    expect(dialog.getByText(SENTENCE)).toBeDefined();
    expect(dialog.getByRole('link', { name: 'View Subscription Plans' })).toBeDefined();
    expect(install.disabled).toBe(true);
  });

  it('shows what is wrong beside the question', async () => {
    const { user, dialog, install } = await openDialog({
      refusals: {
        'marketplace.install': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Name is taken.',
          fields: [{ path: 'inputs.name', message: 'Name is taken.' }],
        },
      },
    });
    await user.click(install);
    expect((await dialog.findByRole('alert')).textContent).toBe('Name is taken.');
    expect(dialog.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  });

  it('fails with what the server says, else with the specified words', async () => {
    const { user, dialog, install, world } = await openDialog({
      refusals: { 'marketplace.install': BROKEN },
    });
    await user.click(install);
    expect((await dialog.findByRole('alert')).textContent).toBe('Service temporarily unavailable');
    expect(shownToast()?.description).toBe('Service temporarily unavailable');
    world.refusals = { 'marketplace.install': { ...BROKEN, reason: '' } };
    await user.click(install);
    await waitFor(() => expect(shownToast()?.description).toBe('Failed to install item'));
    expect(shownToast()).toMatchObject({ title: 'Error', variant: 'destructive' });
  });

  it('is not there for what is installed', async () => {
    renderPage(`/marketplace?install=${FULL_STACK.id}`, { items: [FULL_STACK], installations: [INSTALLED] });
    await screen.findByText('Installed');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('an installation', () => {
  const RUNNING = mockInstallation({
    ...INSTALLED,
    status: 'installing',
    step: 0,
    doing: 'Creating PostgreSQL database',
    receipt: [],
    url: '',
  });

  it('shows each step on the card, and at the end what it made', async () => {
    const { user, install, world } = await openDialog();
    const stream = await openStream();
    act(() => stream.connect());
    await user.click(install);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await card(FULL_STACK.name).findByText('Creating PostgreSQL database')).toBeDefined();
    expect(card(FULL_STACK.name).getByText('Step 1 of 2')).toBeDefined();
    expect(screen.getByRole('tab', { name: 'My Installations (1)' })).toBeDefined();
    expect(isAnnounced()).toBe(false);

    const [begun] = world.installations;
    if (!begun) throw new Error('Nothing was begun');
    const second = { ...begun, step: 1, doing: 'Waiting for the project' };
    act(() => stream.send(FULL_STACK.id, { itemId: FULL_STACK.id, installation: second }));
    expect(await card(FULL_STACK.name).findByText('Waiting for the project')).toBeDefined();
    expect(card(FULL_STACK.name).getByText('Step 2 of 2')).toBeDefined();
    const bar = card(FULL_STACK.name).getByRole('progressbar', { name: 'Installing Full-stack starter' });
    expect(bar.getAttribute('aria-valuenow')).toBe('50');

    const done = { ...INSTALLED, id: begun.id };
    world.installations = [done];
    world.items = [{ ...FULL_STACK, installCount: 1205 }, SITE];
    act(() => stream.send(FULL_STACK.id, { itemId: FULL_STACK.id, installation: done }));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Item installed successfully' }));
    expect(card(FULL_STACK.name).getByText('Installed')).toBeDefined();
    expect(await card(FULL_STACK.name).findByText('1,205 installs')).toBeDefined();
    expect(card(FULL_STACK.name).queryByRole('progressbar')).toBeNull();
  });

  it('that ends before anyone could look is announced all the same', async () => {
    const { user, install, world } = await openDialog({
      delays: { 'marketplace.installations': Promise.resolve() },
    });
    const late = Promise.withResolvers<void>();
    world.delays = { 'marketplace.installations': late.promise };
    await user.click(install);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    world.installations = world.installations.map((row) => ({ ...row, status: 'installed' as const }));
    late.resolve();
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Item installed successfully' }));
  });

  it('is caught up with when the stream was not open', async () => {
    const { world } = renderPage('/marketplace', { items: [FULL_STACK], installations: [RUNNING] });
    await screen.findByText('Step 1 of 2');
    const stream = await openStream();
    world.installations = [INSTALLED];
    act(() => stream.connect());
    expect(await screen.findByText('Installed')).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Item installed successfully' });
  });

  it('is announced wherever its owner is by then, and what it made is fetched', async () => {
    const { router, world } = renderPage('/mobile-apps', {
      items: [FULL_STACK],
      installations: [RUNNING],
      mobileApps: [],
    });
    await screen.findByText('No mobile apps yet');
    await act(() => router.navigate({ to: '/marketplace' }));
    await screen.findByText('Step 1 of 2');
    await act(() => router.navigate({ to: '/mobile-apps' }));
    await screen.findByText('No mobile apps yet');
    const stream = await openStream();
    act(() => stream.connect());
    world.installations = [INSTALLED];
    world.mobileApps = [mockMobileApp()];
    act(() => stream.send(FULL_STACK.id, { itemId: FULL_STACK.id, installation: INSTALLED }));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Item installed successfully' }));
    expect(await screen.findByRole('heading', { name: 'Pocket weather' })).toBeDefined();
  });

  it('that fails says why, here and now and later, and can be tried again or dismissed', async () => {
    const { user, world } = renderPage('/marketplace', { items: [FULL_STACK], installations: [RUNNING] });
    await screen.findByText('Step 1 of 2');
    const stream = await openStream();
    act(() => stream.connect());
    const failed = { ...RUNNING, status: 'failed' as const, error: 'The database could not be created.' };
    world.installations = [failed];
    act(() => stream.send(FULL_STACK.id, { itemId: FULL_STACK.id, installation: failed }));
    expect(await card(FULL_STACK.name).findByText('The database could not be created.')).toBeDefined();
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'The database could not be created.',
      variant: 'destructive',
    });
    expect(screen.getByRole('tab', { name: 'My Installations (0)' })).toBeDefined();

    await user.click(screen.getByRole('button', { name: 'Try again to install Full-stack starter' }));
    expect(await screen.findByRole('dialog', { name: 'Install Full-stack starter' })).toBeDefined();
    await user.keyboard('{Escape}');
    await user.click(
      await screen.findByRole('button', { name: 'Dismiss the failed installation of Full-stack starter' }),
    );
    expect(await screen.findByRole('button', { name: 'Install Full-stack starter' })).toBeDefined();
  });

  it('of old is not announced', async () => {
    renderPage('/marketplace', { items: [FULL_STACK], installations: [INSTALLED] });
    await screen.findByText('Installed');
    const stream = await openStream();
    act(() => stream.connect());
    act(() => stream.send(FULL_STACK.id, { itemId: FULL_STACK.id, installation: INSTALLED }));
    await screen.findByText('Installed');
    expect(isAnnounced()).toBe(false);
  });

  it('leads to everything that it made', async () => {
    const kinds = ['project', 'database', 'container', 'dns', 'file', 'mobile-app'] as const;
    const receipt = kinds.map((kind, index) => ({ kind, id: idOf(index), name: kind, holdsData: false }));
    const { user } = renderPage('/marketplace', {
      items: [FULL_STACK],
      installations: [{ ...INSTALLED, receipt }],
    });
    const made = await screen.findByRole('list', { name: 'Made by Full-stack starter' });
    expect(within(made).getAllByRole('link')).toHaveLength(4);
    await user.click(screen.getByRole('button', { name: 'Show all 6 of Full-stack starter' }));
    const links = within(made).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `/projects/${idOf(0)}`,
      `/databases/${idOf(1)}`,
      `/containers/${idOf(2)}`,
      '/dns',
      '/storage',
      '/mobile-apps',
    ]);
    const open = screen.getByRole('link', { name: 'Open Full-stack starter' });
    expect(open.getAttribute('href')).toBe(INSTALLED.url);
    expect(open.getAttribute('target')).toBe('_blank');
  });
});
