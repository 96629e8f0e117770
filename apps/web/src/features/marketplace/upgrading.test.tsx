import type { Installation, Upgrade } from '@nephos/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { dismissToast } from '../../ui/toast.ts';
import { BROKEN, card, OLD_WIKI, WIKI } from './marketplace-fixtures.ts';

mockApi();
beforeEach(() => dismissToast());

function wikiWith(change: Partial<Upgrade>) {
  const { upgrade } = OLD_WIKI;
  return { ...OLD_WIKI, upgrade: upgrade && { ...upgrade, ...change } };
}

function render(installation = OLD_WIKI, state: Parameters<typeof renderPage>[1] = {}) {
  return renderPage('/marketplace', { items: [WIKI], installations: [installation], ...state });
}

/** Has whoever watches be told. */
async function tell(installation: Installation) {
  const stream = await vi.waitFor(() => {
    const opened = FakeEventSource.of('marketplace.changes');
    if (!opened) throw new Error('Nobody listens');
    return opened;
  });
  act(() => stream.connect());
  act(() => stream.send(WIKI.id, { itemId: WIKI.id, installation }));
}

async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
  const page = render(OLD_WIKI, state);
  await page.user.click(await screen.findByRole('button', { name: 'Upgrade Wiki' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upgrade Wiki to 1.10.0?' }));
  return { ...page, dialog, confirm: dialog.getByRole<HTMLButtonElement>('button', { name: 'Upgrade' }) };
}

describe('upgrading', () => {
  it('shows the version that runs, what is newer, what to do first, and what is about to happen', async () => {
    const { user } = render();
    const open = await screen.findByRole('button', { name: 'Upgrade Wiki' });
    const wiki = card('Wiki');
    expect(wiki.getByText('1.9.0')).toBeDefined();
    expect(wiki.getByText('1.10.0').parentElement?.textContent).toBe('Version 1.10.0 is available.');
    expect(wiki.getByText('Log in as the user "wiki".')).toBeDefined();
    await user.click(open);
    const list = await screen.findByRole('list', { name: 'What changes' });
    const changes = within(list).getAllByRole('listitem');
    expect(changes.map(({ textContent }) => textContent)).toEqual(OLD_WIKI.upgrade?.changes);
  });

  it('is followed to its end, with the way to its log', async () => {
    const { user, confirm, world } = await openDialog();
    await user.click(confirm);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const status = await screen.findByText(/Upgrading to 1\.10\.0: waiting to start\./);
    expect(within(status).getByRole('link', { name: 'View log' }).getAttribute('href')).toBe(
      `/projects/${idOf(21)}/log?deployment=${idOf(90)}`,
    );
    expect(screen.queryByRole('button', { name: 'Upgrade Wiki' })).toBeNull();
    const installation = { ...OLD_WIKI, version: '1.10.0', upgrade: null };
    world.installations = [installation];
    await tell(installation);
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Upgraded to 1.10.0' }));
  });

  it.each([
    ['failed', 'The upgrade failed'],
    ['cancelled', 'The upgrade was cancelled'],
  ] as const)('says why the last one %s, and offers another', async (status, title) => {
    const error = 'The app did not answer.';
    const { user } = render(wikiWith({ deploymentId: idOf(90), status, error }));
    expect(await screen.findByText(title)).toBeDefined();
    expect(screen.getByText(/The app did not answer\. 1\.9\.0 is still installed\./)).toBeDefined();
    const again = screen.getByRole('button', { name: 'Try again to upgrade Wiki' });
    expect(again.textContent).toBe('Try again');
    await user.click(again);
    expect(await screen.findByRole('dialog', { name: 'Upgrade Wiki to 1.10.0?' })).toBeDefined();
  });

  it('is announced as cancelled, which is no error', async () => {
    const { world } = render(wikiWith({ deploymentId: idOf(90), status: 'building' }));
    await screen.findByText(/Upgrading to 1\.10\.0/);
    const installation = wikiWith({ deploymentId: idOf(90), status: 'cancelled', error: 'Cancelled.' });
    world.installations = [installation];
    await tell(installation);
    await waitFor(() => expect(shownToast()).toEqual({ title: 'Upgrade cancelled' }));
  });

  it('fails with what the server says', async () => {
    const { user, dialog, confirm } = await openDialog({ refusals: { 'marketplace.upgrade': BROKEN } });
    await user.click(confirm);
    expect((await dialog.findByRole('alert')).textContent).toBe('Service temporarily unavailable');
  });

  it('is not offered where there is nothing newer', async () => {
    render({ ...OLD_WIKI, version: '1.10.0', upgrade: null });
    await screen.findByText('1.10.0');
    expect(screen.queryByRole('button', { name: 'Upgrade Wiki' })).toBeNull();
  });
});

describe('a password', () => {
  it('is hidden, can be shown, and can be made', async () => {
    const { user } = renderPage(`/marketplace?install=${WIKI.id}`, { items: [WIKI] });
    const field = await screen.findByLabelText<HTMLInputElement>('Password');
    expect(field.type).toBe('password');
    await user.type(field, 'abc');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect([field.type, field.value]).toEqual(['text', 'abc']);
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    await user.click(screen.getByRole('button', { name: 'Generate a password' }));
    expect(field.value).toMatch(/^[0-9a-z]{36}$/);
    expect(field.type).toBe('text');
  });
});
