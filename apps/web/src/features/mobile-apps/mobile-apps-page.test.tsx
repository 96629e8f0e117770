import { render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { idOf, mockMobileApp } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { BuildStatus } from './mobile-app-words.tsx';

mockApi();

const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

function card(name: string) {
  const item = screen.getByRole('heading', { name }).closest<HTMLElement>('[role=listitem]');
  if (!item) throw new Error(`${name} is not in a list`);
  return within(item);
}

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('the mobile apps page', () => {
  it('offers the first step while there is nothing', async () => {
    const { user } = renderPage('/mobile-apps');
    expect(await screen.findByRole('heading', { name: 'No mobile apps yet' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Mobile App Builder' })).toBeDefined();
    expect(screen.getByText('Generate build configuration for Android and iOS apps.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Create your first mobile app' }));
    expect(await screen.findByRole('dialog', { name: 'New Mobile App' })).toBeDefined();
  });

  it('shows three skeleton cards while the apps load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/mobile-apps', { delays: { 'mobileApps.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No mobile apps yet');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });

  it('says why it cannot be loaded, and can be tried again', async () => {
    quiet();
    const { user, world } = renderPage('/mobile-apps', { refusals: { 'mobileApps.list': BROKEN } });
    expect(await screen.findByText('Service temporarily unavailable')).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No mobile apps yet')).toBeDefined();
  });
});

describe('a mobile app card', () => {
  it('says everything there is to say of it', async () => {
    renderPage('/mobile-apps', {
      mobileApps: [
        mockMobileApp({ version: '2.10.3', buildNumber: 47 }),
        mockMobileApp({
          id: idOf(2),
          name: 'Robot',
          platform: 'android',
          buildStatus: 'configured',
          deploymentMethod: 'github',
        }),
        mockMobileApp({ id: idOf(3), name: 'Fruit', platform: 'ios', deploymentMethod: 'local' }),
      ],
    });
    await screen.findByRole('heading', { name: 'Pocket weather' });
    const both = card('Pocket weather');
    expect(both.getByRole('img', { name: 'Android and iOS' })).toBeDefined();
    expect(both.getByText('com.example.weather')).toBeDefined();
    expect(both.getByText('Draft')).toBeDefined();
    expect(both.getByText('2.10.3 (47)')).toBeDefined();
    expect(both.queryByText('Manual')).toBeNull();
    expect(both.getByRole('button', { name: 'View Config of Pocket weather' }).textContent).toBe(
      'View Config',
    );
    expect(both.getByRole('button', { name: 'Delete Pocket weather' })).toBeDefined();

    const robot = card('Robot');
    expect(robot.getByRole('img', { name: 'Android' })).toBeDefined();
    expect(robot.getByText('Configured')).toBeDefined();
    expect(robot.getByText('GitHub')).toBeDefined();
    expect(card('Fruit').getByRole('img', { name: 'iOS' })).toBeDefined();
    expect(card('Fruit').getByText('Local')).toBeDefined();
  });

  it('shows a status that it does not know as it is', () => {
    render(<BuildStatus status="building" />);
    expect(screen.getByText('building')).toBeDefined();
  });
});

describe('deleting a mobile app', () => {
  async function ask(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/mobile-apps', { mobileApps: [mockMobileApp()], ...state });
    await page.user.click(await screen.findByRole('button', { name: 'Delete Pocket weather' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Mobile App?' }));
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete mobile app' });
    return { ...page, dialog, confirm };
  }

  it('fails with the specified toast, and can be tried again', async () => {
    const { user, world, dialog, confirm } = await ask({ refusals: { 'mobileApps.remove': BROKEN } });
    await user.type(dialog.getByRole('textbox'), 'Pocket weather');
    await user.click(confirm);
    await waitFor(() =>
      expect(shownToast()).toEqual({
        title: 'Error',
        description: 'Failed to delete mobile app',
        variant: 'destructive',
      }),
    );
    expect(dialog.getByRole('alert').textContent).toBe(BROKEN.message);
    world.refusals = {};
    await user.click(confirm);
    expect(await screen.findByText('No mobile apps yet')).toBeDefined();
  });

  it('is left by Escape, which leads back to where one was', async () => {
    const { user, world } = await ask();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Pocket weather' }));
    expect(world.mobileApps).toHaveLength(1);
  });
});

describe('the command palette', () => {
  async function search(words: string, mobileApps = [mockMobileApp()]) {
    const page = renderPage('/dns', { mobileApps });
    await screen.findByRole('heading', { level: 1 });
    await page.user.keyboard('{Control>}k{/Control}');
    await page.user.type(await screen.findByPlaceholderText(/^Type a page/), words);
    return page;
  }

  it('finds a mobile app by its bundle id, and opens its configuration', async () => {
    const { user, router } = await search('example.weather');
    await user.click(await screen.findByRole('option', { name: /^Pocket weather/ }));
    expect(await screen.findByRole('dialog', { name: 'Build configuration' })).toBeDefined();
    expect(router.state.location.search).toMatchObject({ config: idOf(1) });
  });

  it('opens the configuration of an app that is not among the newest', async () => {
    const newer = Array.from({ length: 70 }, (_, index) =>
      mockMobileApp({ id: idOf(9000 - index), name: `app-${index}`, bundleId: `org.other.a${index}` }),
    );
    const { user } = await search('example.weather', [...newer, mockMobileApp()]);
    await user.click(await screen.findByRole('option', { name: /^Pocket weather/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Build configuration' }));
    expect(dialog.getByText(/^Pocket weather/)).toBeDefined();
  });

  it('starts a new mobile app', async () => {
    const { user } = await search('New Mobile App');
    await user.click(await screen.findByRole('option', { name: 'New Mobile App' }));
    expect(await screen.findByRole('dialog', { name: 'New Mobile App' })).toBeDefined();
  });
});
