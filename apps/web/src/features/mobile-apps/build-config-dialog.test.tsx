import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { BUILD_FILES } from '../../test/mock-build-files.ts';
import { idOf, mockMobileApp } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;
const CONFIGURED = mockMobileApp({ buildStatus: 'configured' });

async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/mobile-apps', { buildFiles: BUILD_FILES, mobileApps: [CONFIGURED], ...state });
  await page.user.click(await screen.findByRole('button', { name: 'View Config of Pocket weather' }));
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'Build configuration' })) };
}

function fileNames() {
  const list = screen.getByRole('tablist', { name: 'Files' });
  return within(list)
    .getAllByRole('tab')
    .map((tab) => tab.textContent);
}

describe('the build configuration of a draft', () => {
  it('shows its files even when the list cannot be fetched again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, world, dialog } = await openDialog({ mobileApps: [mockMobileApp()] });
    world.refusals['mobileApps.list'] = BROKEN;
    await user.click(dialog.getByRole('button', { name: 'Generate Build Config' }));
    expect(await dialog.findByRole('tab', { name: /^Android( |$)/ })).toBeDefined();
  });

  it('stays a draft when that fails, with the specified toast', async () => {
    const { user, dialog } = await openDialog({
      mobileApps: [mockMobileApp()],
      refusals: { 'mobileApps.generateConfig': BROKEN },
    });
    await user.click(dialog.getByRole('button', { name: 'Generate Build Config' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Service temporarily unavailable');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to generate build configuration',
      variant: 'destructive',
    });
    expect(dialog.getByRole('button', { name: 'Generate Build Config' })).toBeDefined();
  });
});

describe('the build configuration', () => {
  it('has a tab for each platform, with the files of that platform and those of both', async () => {
    const { user, dialog } = await openDialog();
    await dialog.findByRole('tab', { name: /^Android( |$)/ });
    expect(fileNames()).toEqual([
      'build.gradle.ktsapp/',
      'AndroidManifest.xmlapp/src/main/',
      'Build instructionsdocs/',
      'Fastfilefastlane/',
    ]);
    expect(dialog.getByRole('region', { name: 'app/build.gradle.kts' }).textContent).toContain(
      'namespace = "com.example.weather"',
    );
    await user.click(dialog.getByRole('tab', { name: 'iOS' }));
    expect(fileNames()).toEqual(['Info.plistios/Config/', 'App.xcconfigios/Config/', 'Fastfilefastlane/']);
    expect(dialog.getByRole('region', { name: 'ios/Config/Info.plist' }).textContent).toContain('<plist');
  });

  it.each([
    ['android', 'Android'],
    ['ios', 'iOS'],
  ] as const)('of an app for %s alone has one tab', async (platform, name) => {
    const { dialog } = await openDialog({ mobileApps: [{ ...CONFIGURED, platform }] });
    const platforms = within(await dialog.findByRole('tablist', { name: 'Platform' }));
    expect(platforms.getAllByRole('tab')).toHaveLength(1);
    expect(platforms.getByRole('tab', { name: new RegExp(`^${name}`) })).toBeDefined();
  });

  it('is walked through by arrow keys', async () => {
    const { user, dialog } = await openDialog();
    const gradle = await dialog.findByRole('tab', { name: /build\.gradle/ });
    gradle.focus();
    await user.keyboard('{ArrowDown}');
    expect(dialog.getByRole('region', { name: 'app/src/main/AndroidManifest.xml' })).toBeDefined();
    await user.keyboard('{End}');
    expect(dialog.getByRole('region', { name: 'fastlane/Fastfile' })).toBeDefined();
  });

  it('says why there is no archive', async () => {
    const { user, dialog } = await openDialog({ refusals: { 'mobileApps.archive': BROKEN } });
    await user.click(await dialog.findByRole('button', { name: /^Download all/ }));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Error', description: 'Service temporarily unavailable' }),
    );
  });

  it('warns of what a store would refuse: rule, since when, and where it says so', async () => {
    const { user, dialog } = await openDialog();
    expect(await dialog.findByRole('tab', { name: 'Android has warnings' })).toBeDefined();
    const warning = within(dialog.getByRole('note'));
    expect(warning.getByText(/^Google Play refuses uploads/)).toBeDefined();
    expect(warning.getByText('google-play-target-sdk')).toBeDefined();
    expect(warning.getByText('2026-08-31')).toBeDefined();
    const source = warning.getByRole('link', { name: /^support\.google\.com/ });
    expect(source.getAttribute('href')).toBe(BUILD_FILES.warnings[0]?.source);
    expect(source.getAttribute('target')).toBe('_blank');
    expect(source.getAttribute('rel')).toContain('noopener');
    await user.click(dialog.getByRole('tab', { name: 'iOS' }));
    expect(dialog.queryByRole('note')).toBeNull();
  });

  it('takes what the store asks for by one click', async () => {
    const { user, world, dialog } = await openDialog();
    await user.click(await dialog.findByRole('button', { name: 'Use 36' }));
    await waitFor(() => expect(dialog.queryByRole('note')).toBeNull());
    expect(dialog.getByRole('tab', { name: 'Android' })).toBeDefined();
    expect(world.calls.filter(({ path }) => path === 'mobileApps.update')).toEqual([
      { path: 'mobileApps.update', input: { id: idOf(1), androidTargetSdk: 36 } },
    ]);
    expect(shownToast()).toMatchObject({ title: 'Mobile app updated and build configuration regenerated' });
  });

  it('says why a setting was not taken', async () => {
    const { user, dialog } = await openDialog({ refusals: { 'mobileApps.update': BROKEN } });
    await user.click(await dialog.findByRole('button', { name: 'Use 36' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Service temporarily unavailable');
  });

  it('lays the instructions out, and takes nothing in them for HTML', async () => {
    const { user, dialog } = await openDialog();
    await user.click(await dialog.findByRole('tab', { name: /Build instructions/ }));
    const text = within(dialog.getByRole('region', { name: 'docs/build-android.md' }));
    expect(await text.findByRole('heading', { name: 'Build Pocket *weather* for Android' })).toBeDefined();
    expect(text.getAllByRole('listitem')).toHaveLength(2);
    expect(text.getByText('app/build.gradle.kts').tagName).toBe('CODE');
    expect(text.getByText('the app module').tagName).toBe('STRONG');
    expect(text.getByRole('region', { name: 'commands' }).textContent).toBe('./gradlew :app:bundleRelease');
    expect(text.getByRole('link').getAttribute('href')).toBe('https://developer.android.com/build');
    expect(text.getByText(/<b>Not bold<\/b>/)).toBeDefined();
  });

  it('says why it cannot be loaded, and can be tried again', async () => {
    const { user, dialog, world } = await openDialog({ refusals: { 'mobileApps.files': BROKEN } });
    expect((await dialog.findByRole('alert')).textContent).toContain('Service temporarily unavailable');
    world.refusals = {};
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByRole('tab', { name: /^Android( |$)/ })).toBeDefined();
  });

  it('is opened by its address, and closed by Escape', async () => {
    const { user, router } = renderPage(`/mobile-apps?config=${idOf(1)}`, {
      buildFiles: BUILD_FILES,
      mobileApps: [CONFIGURED],
    });
    await screen.findByRole('dialog', { name: 'Build configuration' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toEqual({});
  });

  it('leads back to its card when it closes', async () => {
    const { user } = await openDialog();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(
        screen.getByRole('button', { name: 'View Config of Pocket weather' }),
      ),
    );
  });
});
