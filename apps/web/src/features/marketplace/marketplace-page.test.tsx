import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mockBillingWorld, mockSubscription } from '../../test/mock-billing.ts';
import { idOf, mockInstallation, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { card, DATABASE, FULL_STACK, SITE } from './marketplace-fixtures.ts';

mockApi();

const ITEMS = [DATABASE, FULL_STACK, SITE];
const DAY = 24 * 60 * 60 * 1000;

function cardNames() {
  return within(screen.getByRole('tabpanel'))
    .queryAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);
}

describe('the marketplace', () => {
  it('shows every item with all that is known of it', async () => {
    renderPage('/marketplace', { items: ITEMS });
    expect(await screen.findByRole('heading', { level: 1, name: 'Marketplace' })).toBeDefined();
    expect(document.title).toBe('Marketplace · Nephos');
    await screen.findByText('Static site');
    const fullStack = card('Full-stack starter');
    for (const text of ['A page, an API and a database.', 'Full stack', 'Template', '1,204 installs']) {
      expect(fullStack.getByText(text)).toBeDefined();
    }
    expect(fullStack.queryByText('Installed')).toBeNull();
    expect(fullStack.getByRole('button', { name: 'Install Full-stack starter' }).textContent).toBe('Install');
    expect(card('PostgreSQL database').queryByText('Template')).toBeNull();
    expect(card('PostgreSQL database').getByText('1 install')).toBeDefined();
    expect(card('Static site').getByText('0 installs')).toBeDefined();
  });

  it('counts in its tabs', async () => {
    renderPage('/marketplace', {
      items: ITEMS,
      installations: [
        mockInstallation(),
        mockInstallation({ id: idOf(2), itemId: FULL_STACK.id, status: 'failed', error: 'No.' }),
      ],
    });
    expect(await screen.findByRole('tab', { name: 'All Items (3)' })).toBeDefined();
    expect(screen.getByRole('tab', { name: 'My Installations (1)' })).toBeDefined();
  });

  it('shows six skeleton cards while it loads', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/marketplace', { delays: { 'marketplace.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(6);
    loading.resolve();
    await screen.findByText('No items found');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });

  it('is found in the command palette, by what it has', async () => {
    const { user, router } = renderPage('/dns', { items: ITEMS });
    await screen.findByText('No DNS records yet');
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('option', { name: 'Marketplace' });
    expect(screen.queryByRole('option', { name: 'Install Static site' })).toBeNull();
    await user.keyboard('install stat');
    await user.click(await screen.findByRole('option', { name: 'Install Static site' }));
    expect(await screen.findByRole('dialog', { name: 'Install Static site' })).toBeDefined();
    expect(router.state.location.pathname).toBe('/marketplace');
  });
});

describe('the filters', () => {
  it('take a number, and a category that there is not, from the address', async () => {
    renderPage('/marketplace?q=42&category=Gone', { items: ITEMS });
    expect(await screen.findByText('No items found')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('42');
    expect(screen.getByRole('combobox', { name: 'Category' }).textContent).toBe('Gone');
  });

  it('leave the address to whoever follows a link', async () => {
    const { user } = renderPage('/marketplace?q=page', { items: ITEMS });
    await screen.findByRole('tab', { name: 'All Items (2)' });
    await user.click(screen.getByRole('link', { name: 'Marketplace' }));
    await screen.findByRole('tab', { name: 'All Items (3)' });
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe(''));
  });
});

describe('my installations', () => {
  it('are none at first', async () => {
    const { user, router } = renderPage('/marketplace', { items: ITEMS });
    await user.click(await screen.findByRole('tab', { name: 'My Installations (0)' }));
    expect(await screen.findByRole('heading', { name: 'No installed items' })).toBeDefined();
    expect(router.state.location.search).toEqual({ tab: 'installed' });
    await user.click(screen.getByRole('button', { name: 'Browse all items' }));
    expect(await screen.findByText('Static site')).toBeDefined();
  });

  it('are those alone, also by keyboard', async () => {
    const { user } = renderPage('/marketplace', { items: ITEMS, installations: [mockInstallation()] });
    const all = await screen.findByRole('tab', { name: 'All Items (3)' });
    act(() => all.focus());
    await user.keyboard('{ArrowRight}');
    await screen.findByRole('tab', { name: 'My Installations (1)', selected: true });
    expect(cardNames()).toEqual(['PostgreSQL database']);
    expect(card('PostgreSQL database').getByText('Installed')).toBeDefined();
  });

  it('that the filter hides are not said to be missing', async () => {
    renderPage('/marketplace?tab=installed&q=site', { items: ITEMS, installations: [mockInstallation()] });
    expect(await screen.findByText('No items found')).toBeDefined();
    expect(screen.queryByText('No installed items')).toBeNull();
  });
});

describe('the banner', () => {
  it('is none where billing is switched off, and one may install', async () => {
    const { user } = renderPage('/marketplace', {
      items: ITEMS,
      user: mockUser({ trialActive: false, trialEndDate: null }),
      billing: mockBillingWorld({ enabled: false }),
    });
    const [first] = await screen.findAllByRole('button', { name: /^Install / });
    expect(screen.queryByText(/Subscription Required|Free Trial/)).toBeNull();
    if (first) await user.click(first);
    const dialog = within(await screen.findByRole('dialog', { name: /^Install / }));
    expect(dialog.getByRole('button', { name: 'Install' })).toHaveProperty('disabled', false);
    expect(dialog.queryByText('Subscription Required')).toBeNull();
  });

  function renderTrial(left: number, trialActive = true) {
    const trialEndDate = new Date(Date.now() + left).toISOString();
    return renderPage('/marketplace', { items: ITEMS, user: mockUser({ trialActive, trialEndDate }) });
  }

  it.each([
    [14, '14 days remaining.'],
    [1, '1 day remaining.'],
    [0, 'Trial ending soon.'],
  ])('of a trial with %i days left', async (days, text) => {
    renderTrial(days * DAY);
    expect(await screen.findByText('14-Day Free Trial Active')).toBeDefined();
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText('Subscription Required')).toBeNull();
    const plans = screen.getByRole('link', { name: 'View Subscription Plans' });
    expect(plans.getAttribute('href')).toBe('/billing');
  });

  it.each([
    ['a day ago', -DAY, true],
    ['a moment ago', -1, false],
  ])('of a trial that ended %s', async (_, left, trialActive) => {
    renderTrial(left, trialActive);
    expect(await screen.findByText('Subscription Required')).toBeDefined();
    expect(screen.queryByText('14-Day Free Trial Active')).toBeNull();
    const plans = screen.getByRole('link', { name: 'View Subscription Plans' });
    expect(plans.getAttribute('href')).toBe('/billing');
  });

  it('is not there for a subscriber, and one whose renewal is past due is none', async () => {
    const billing = mockBillingWorld({ subscription: mockSubscription() });
    const user = mockUser({ trialActive: false, trialEndDate: null });
    const { world, router } = renderPage('/marketplace', { items: ITEMS, user, billing });
    await screen.findByText('Static site');
    expect(screen.queryByText('Subscription Required')).toBeNull();
    world.billing.subscription = mockSubscription({
      status: 'past_due',
      renewalDate: '2026-11-01T00:00:00.000Z',
    });
    await act(() => router.navigate({ to: '/account' }));
    await act(() => router.navigate({ to: '/marketplace' }));
    expect(await screen.findByText('Subscription Required')).toBeDefined();
  });

  it('asks the server again when the end has come', async () => {
    const { world } = renderTrial(0);
    world.user = mockUser({ trialActive: false, trialEndDate: new Date().toISOString() });
    expect(await screen.findByText('Subscription Required')).toBeDefined();
  });
});
