import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { idOf, mockImage, mockRepository, mockUntagged } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const IMAGE = mockImage();
const PATH = `/containers/${IMAGE.id}`;
const FORMER = mockUntagged();
const RECENT = mockUntagged({ id: idOf(862), digest: `sha256:${'8b'.repeat(32)}`, isRecent: true });
const WORLD = { images: [IMAGE], repositories: [mockRepository()], untagged: [RECENT, FORMER] };

describe('the untagged images on the page of an image', () => {
  it('are listed with what can be freed', async () => {
    renderPage(PATH, WORLD);
    const table = within(await screen.findByRole('table', { name: 'Untagged images of ada/weather' }));
    expect(table.getByText('sha256:9a9a9a9a9a9a')).toBeDefined();
    expect(table.getAllByText('42.00 MB')).toHaveLength(2);
    expect(table.getAllByText('Recently pushed')).toHaveLength(1);
    expect(screen.getByText(/deleting them frees 84\.00 MB\./)).toBeDefined();
  });

  it('go one by one, by the beginning of a digest', async () => {
    const { user, world } = renderPage(PATH, WORLD);
    await user.click(await screen.findByRole('button', { name: 'Delete sha256:9a9a9a9a9a9a' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete untagged image?' }));
    expect(await dialog.findByText(/1 manifest and 2 layers .* Frees 42\.00 MB\./)).toBeDefined();
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete image' });
    expect(confirm.disabled).toBe(true);
    await user.type(dialog.getByRole('textbox'), 'sha256:9a9a9a9a9a9a');
    await user.click(confirm);
    await waitFor(() => expect(screen.queryByText('sha256:9a9a9a9a9a9a')).toBeNull());
    expect(world.untagged).toEqual([RECENT]);
    expect(shownToast()).toMatchObject({
      title: 'Untagged image deleted',
      description: 'Freed 42.00 MB of storage.',
    });
  });

  it('are deleted once, also where the dialog was left and opened again meanwhile', async () => {
    const deleting = Promise.withResolvers<void>();
    const { user, world } = renderPage(PATH, {
      ...WORLD,
      delays: { 'containers.removeUntaggedImage': deleting.promise },
    });
    const open = await screen.findByRole('button', { name: 'Delete sha256:9a9a9a9a9a9a' });
    await user.click(open);
    await user.type(screen.getByRole('textbox'), 'sha256:9a9a9a9a9a9a{Enter}{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.click(open);
    await user.type(screen.getByRole('textbox'), 'sha256:9a9a9a9a9a9a{Enter}');
    deleting.resolve();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(world.calls.filter(({ path }) => path === 'containers.removeUntaggedImage')).toHaveLength(1);
  });

  it('stay where a project needs one, and the button says why', async () => {
    const keptBecause = 'Kept because the project Shop can roll back to this image.';
    const { user } = renderPage(PATH, { ...WORLD, untagged: [mockUntagged({ keptBecause })] });
    const button = await screen.findByRole('button', {
      name: 'Delete sha256:9a9a9a9a9a9a',
      description: keptBecause,
    });
    button.focus();
    expect(document.activeElement).toBe(button);
    await user.click(button);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('stay with the reason where one is needed by now', async () => {
    const message = "This image can't be deleted because a tag or another image uses it.";
    const { user } = renderPage(PATH, {
      ...WORLD,
      refusals: { 'containers.removeUntaggedImage': { code: 'CONFLICT', reason: 'IN_USE', message } },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete sha256:9a9a9a9a9a9a' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete untagged image?' }));
    await user.type(dialog.getByRole('textbox'), 'sha256:9a9a9a9a9a9a{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(shownToast()?.description).toBe(message);
  });

  it('go all at once by the name of the repository, but for those just pushed', async () => {
    const { user, world } = renderPage(PATH, {
      ...WORLD,
      repositories: [mockRepository({ untagged: { ...mockRepository().untagged, images: 2, recent: 1 } })],
    });
    await user.click(await screen.findByRole('button', { name: 'Delete untagged images' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete untagged images?' }));
    expect(dialog.getByText(/Deletes 1 untagged image: .* Frees 84\.00 MB\. 1 image pushed/)).toBeDefined();
    await user.type(dialog.getByRole('textbox'), 'ada/weather{Enter}');
    await waitFor(() => expect(screen.queryByText('sha256:9a9a9a9a9a9a')).toBeNull());
    expect(world.untagged).toEqual([RECENT]);
    expect(shownToast()).toMatchObject({
      title: 'Untagged images deleted',
      description: 'Freed 84.00 MB of storage.',
    });
    // What is left goes one by one only.
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete untagged images' })).toBeNull());
    expect(screen.getByText('sha256:8b8b8b8b8b8b')).toBeDefined();
  });

  it('are fetched a page at a time, and can be asked for again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const untagged = Array.from({ length: 70 }, (_, index) =>
      mockUntagged({ id: idOf(9000 - index), digest: `sha256:${String(index).padStart(64, '0')}` }),
    );
    const refusal = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'No.' } as const;
    const { user, world } = renderPage(PATH, {
      ...WORLD,
      untagged,
      refusals: { 'containers.untagged': refusal },
    });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    world.refusals = {};
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    const table = within(await screen.findByRole('table', { name: 'Untagged images of ada/weather' }));
    expect(table.getAllByRole('button', { name: /^Delete/ })).toHaveLength(60);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(table.getAllByRole('button', { name: /^Delete/ })).toHaveLength(70));
  });
});

describe('the storage of images', () => {
  it('is told on the registry page, and leads to what can be freed', async () => {
    const { user } = renderPage('/containers', WORLD);
    expect(await screen.findByText(/84\.00 MB of it in untagged images/)).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Storage by repository' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Image storage' })).toBeDefined();
    expect(screen.getByText('Your Starter plan')).toBeDefined();
    expect(screen.getByText('Of 10.00 GB, files and images combined.')).toBeDefined();
    const list = within(screen.getByRole('list', { name: 'Repositories' }));
    expect(list.getByText('90.00 MB')).toBeDefined();
    const toggle = list.getByRole('button', { name: 'Show untagged images' });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    await user.click(toggle);
    expect(await list.findByRole('table', { name: 'Untagged images of ada/weather' })).toBeDefined();
    await user.click(list.getByRole('button', { name: 'Hide untagged images' }));
    expect(list.queryByRole('table')).toBeNull();
  });

  it('shows a repository without a tag, of which no card tells', async () => {
    renderPage('/containers/storage', { repositories: [mockRepository({ tags: 0 })] });
    expect(await screen.findByRole('heading', { level: 2, name: 'ada/weather' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Delete untagged images' })).toBeDefined();
  });

  it('says that there is nothing', async () => {
    renderPage('/containers/storage');
    expect(await screen.findByRole('heading', { name: 'No images stored' })).toBeDefined();
  });

  it('is not told where it cannot be found out, and the images are there', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const refusal = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'No.' } as const;
    renderPage('/containers', { ...WORLD, refusals: { 'containers.storage': refusal } });
    expect(await screen.findByText('latest')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Storage by repository' })).toBeNull();
  });

  it('is not told where nothing is stored', async () => {
    renderPage('/containers', { images: [IMAGE] });
    await screen.findByText('latest');
    expect(screen.queryByRole('link', { name: 'Storage by repository' })).toBeNull();
  });
});
