import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockImage, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();

describe('the registry page', () => {
  it('shows three skeleton cards while the images load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/containers', { delays: { 'containers.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No container images yet');
  });

  it('shows a push from a shell as it comes, and listens only while it is looked at', async () => {
    const { world, router } = renderPage('/containers');
    await screen.findByText('No container images yet');
    const stream = await until(() => FakeEventSource.of('containers.changes'));
    // Before the stream began, and so not told by it.
    world.images = [mockImage()];
    act(() => stream.connect());
    expect(await screen.findByText('latest')).toBeDefined();
    world.images = [mockImage({ id: idOf(802), tag: 'v2' }), mockImage()];
    act(() => stream.send('1', { at: new Date().toISOString() }));
    expect(await screen.findByText('v2')).toBeDefined();

    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(stream.readyState).toBe(FakeEventSource.CLOSED);
    expect(FakeEventSource.of('containers.changes')).toBeUndefined();
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    const again = await until(() => FakeEventSource.of('containers.changes'));
    await act(() => router.navigate({ to: '/storage' }));
    expect(again.readyState).toBe(FakeEventSource.CLOSED);
  });
});

describe('an image card', () => {
  const IMAGES = [
    mockImage({ pullCount: 1234 }),
    mockImage({
      id: idOf(802),
      tag: 'v2',
      isPublic: true,
      size: 0,
      pullCount: 0,
      digest: null,
      pushedAt: null,
    }),
  ];

  it('warns where Docker refuses plain http', async () => {
    const { user } = renderPage('/containers', {
      images: IMAGES,
      registry: { host: '192.0.2.7:3000', secure: false, namespace: 'ada' },
    });
    await user.click(await screen.findByRole('button', { name: 'Pull Instructions for ada/weather:latest' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pull Instructions' }));
    expect(dialog.getByText('insecure-registries')).toBeDefined();
    expect(dialog.getByText(/This image is private/)).toBeDefined();
  });
});

describe('registering an image', () => {
  async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/containers', state);
    await page.user.click(await screen.findByRole('button', { name: 'Register Image' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Register Image' }));
    return { ...page, dialog, register: dialog.getByRole<HTMLButtonElement>('button', { name: 'Register' }) };
  }

  it('shows what is wrong beside the field, and goes to the login page when the session is over', async () => {
    const { user, dialog, register, world } = await openDialog({
      refusals: {
        'containers.create': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Some fields are not valid.',
          fields: [{ path: 'tag', message: 'A tag has no spaces.' }],
        },
      },
    });
    await user.type(dialog.getByLabelText('Name'), 'weather');
    await user.click(register);
    expect((await dialog.findByRole('alert')).textContent).toBe('A tag has no spaces.');
    expect(dialog.getByLabelText('Tag').getAttribute('aria-invalid')).toBe('true');

    world.refusals = { 'containers.create': UNAUTHORIZED };
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    await user.click(register);
    expect(await left.promise).toBe('/api/login?returnTo=%2Fcontainers');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized' });
  });
});
