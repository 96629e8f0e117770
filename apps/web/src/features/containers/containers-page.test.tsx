import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockImage, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

function card(name: string, tag: string) {
  const item = screen
    .getAllByRole('listitem')
    .find(
      (candidate) => within(candidate).queryByRole('link', { name }) && within(candidate).queryByText(tag),
    );
  if (!item) throw new Error(`${name}:${tag} is not in a list`);
  return within(item);
}

describe('the registry page', () => {
  it('offers the first step while there is nothing', async () => {
    const { user } = renderPage('/containers');
    expect(await screen.findByRole('heading', { name: 'No container images yet' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Container Registry' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Register your first image' }));
    expect(await screen.findByRole('dialog', { name: 'Register Image' })).toBeDefined();
  });

  it('shows three skeleton cards while the images load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage('/containers', { delays: { 'containers.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No container images yet');
  });

  it('leads to the login page when the session is over', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    renderPage('/containers', { refusals: { 'containers.list': UNAUTHORIZED } });
    expect(await left.promise).toBe('/api/login?returnTo=%2Fcontainers');
  });

  it('fetches a page at a time, and says when more cannot be had', async () => {
    const images = Array.from({ length: 100 }, (_, index) =>
      mockImage({ id: idOf(9000 - index), tag: `v${index}` }),
    );
    const { user, world } = renderPage('/containers', { images });
    const list = within(await screen.findByRole('list', { name: 'Container images' }));
    expect(list.getAllByRole('listitem')).toHaveLength(60);
    world.refusals['containers.list'] = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'No.' };
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect((await screen.findByRole('alert')).textContent).toBe('More images could not be loaded.');
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(100));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('shows a push from a shell as it comes, and listens only while it is looked at', async () => {
    const { world, router } = renderPage('/containers');
    await screen.findByText('No container images yet');
    const stream = await vi.waitUntil(() => FakeEventSource.of('containers.changes'));
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
    const again = await vi.waitUntil(() => FakeEventSource.of('containers.changes'));
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

  it('says everything that the specification asks for', async () => {
    renderPage('/containers', { images: IMAGES });
    await screen.findAllByRole('link', { name: 'ada/weather' });
    const pushed = card('ada/weather', 'latest');
    expect(pushed.getByText('Private')).toBeDefined();
    expect(pushed.getByText('5.00 MB')).toBeDefined();
    expect(pushed.getByText('1234')).toBeDefined();
    expect(pushed.queryByText('Awaiting push')).toBeNull();
    const reserved = card('ada/weather', 'v2');
    expect(reserved.getByText('Public')).toBeDefined();
    expect(reserved.getByText('0 B')).toBeDefined();
    expect(reserved.getByText('Awaiting push')).toBeDefined();
  });

  it('has the commands to log in, pull, tag and push', async () => {
    const { user } = renderPage('/containers', { images: IMAGES });
    await user.click(await screen.findByRole('button', { name: 'Pull Instructions for ada/weather:v2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pull Instructions' }));
    expect(dialog.getByText('docker login --username ada@example.com localhost:3000')).toBeDefined();
    expect(dialog.getByText('docker pull localhost:3000/ada/weather:v2')).toBeDefined();
    expect(dialog.getByText('docker tag weather:v2 localhost:3000/ada/weather:v2')).toBeDefined();
    expect(dialog.getByText('docker push localhost:3000/ada/weather:v2')).toBeDefined();
    expect(dialog.getAllByRole('button', { name: /^Copy .* command$/ })).toHaveLength(4);
    expect(dialog.getByText(/Anyone can pull/)).toBeDefined();
    expect(dialog.getByRole('link', { name: 'access token' }).getAttribute('href')).toBe('/account#tokens');
    expect(dialog.queryByText(/insecure-registries/)).toBeNull();
    await user.click(dialog.getByRole('tab', { name: 'skopeo' }));
    expect(
      await dialog.findByText(
        'skopeo copy --dest-tls-verify=false oci:weather:v2 docker://localhost:3000/ada/weather:v2',
      ),
    ).toBeDefined();
  });

  it('warns where Docker refuses plain http', async () => {
    const { user } = renderPage('/containers', {
      images: IMAGES,
      registry: { host: '192.0.2.7:3000', secure: false },
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

  it('needs a name, starts from the defaults, says so and shows the new card', async () => {
    const { user, dialog, register, world } = await openDialog();
    expect(register.disabled).toBe(true);
    expect(dialog.getByLabelText<HTMLInputElement>('Tag').value).toBe('latest');
    await user.type(dialog.getByLabelText('Name'), 'barometer');
    expect(dialog.getByText('ada/barometer')).toBeDefined();
    await user.click(dialog.getByRole('switch', { name: 'Public' }));
    await user.click(register);

    expect(await screen.findByRole('link', { name: 'ada/barometer' })).toBeDefined();
    expect(shownToast()?.title).toBe('Container image registered successfully');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(world.calls.find(({ path }) => path === 'containers.create')?.input).toEqual({
      name: 'barometer',
      tag: 'latest',
      isPublic: true,
    });

    await user.click(screen.getByRole('button', { name: 'Register Image' }));
    const again = within(await screen.findByRole('dialog', { name: 'Register Image' }));
    expect(again.getByLabelText<HTMLInputElement>('Name').value).toBe('');
    expect(again.getByRole('switch', { name: 'Public' }).getAttribute('aria-checked')).toBe('false');
  });

  it('fails with the specified toast, and says in the dialog what to do', async () => {
    const { user, dialog, register } = await openDialog({
      refusals: {
        'containers.create': { code: 'CONFLICT', reason: 'EXISTS', message: 'You have that image already.' },
      },
    });
    await user.type(dialog.getByLabelText('Name'), 'weather');
    await user.click(register);
    expect((await dialog.findByRole('alert')).textContent).toBe('You have that image already.');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to register container image',
      variant: 'destructive',
    });
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('weather');
  });

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
    expect(await left.promise).toBe('/api/login?returnTo=%2Fcontainers%3Fnew%3D1');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized' });
  });
});
