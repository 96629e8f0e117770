import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockImage } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();

const IMAGE = mockImage();
const OTHER = mockImage({ id: idOf(802), tag: 'v2', digest: `sha256:${'ab'.repeat(32)}` });
const PATH = `/containers/${IMAGE.id}`;

const PLATFORM = {
  digest: `sha256:${'cd'.repeat(32)}`,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  os: 'linux',
  architecture: 'arm64',
  variant: 'v8',
  size: 3 * 1024 * 1024,
  layers: [
    {
      digest: `sha256:${'ef'.repeat(32)}`,
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      size: 2048,
    },
    {
      digest: `sha256:${'ef'.repeat(32)}`,
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      size: 2048,
    },
  ],
};

const SIGNATURE = {
  digest: `sha256:${'12'.repeat(32)}`,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  artifactType: 'application/vnd.example.signature',
  size: 512,
  annotations: {},
};

describe('the page of an image', () => {
  it('shows its tags, digests, platforms, layers and referrers', async () => {
    renderPage(PATH, { images: [OTHER, IMAGE], platforms: [PLATFORM], referrers: [SIGNATURE] });
    expect(await screen.findByRole('heading', { level: 1, name: 'ada/weather:latest' })).toBeDefined();
    expect(screen.getByText('localhost:3000/ada/weather:latest')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy the digest of the image' })).toBeDefined();

    const tags = within(screen.getByRole('table', { name: 'Tags' }));
    expect(tags.getByRole('link', { name: 'v2' }).getAttribute('href')).toBe(`/containers/${OTHER.id}`);
    expect(tags.getByText('This tag')).toBeDefined();
    expect(tags.getByText('sha256:abababababab')).toBeDefined();

    const layers = within(screen.getByRole('table', { name: 'Layers of linux/arm64/v8' }));
    expect(layers.getAllByText('2.00 KB')).toHaveLength(2);
    expect(screen.getByText('sha256:cdcdcdcdcdcd')).toBeDefined();

    const referrers = within(screen.getByRole('table', { name: 'Referrers' }));
    expect(referrers.getByText('application/vnd.example.signature')).toBeDefined();
    expect(referrers.getByText('512 B')).toBeDefined();
  });

  it('sets a retention rule once its preview was seen, and removes it', async () => {
    const keptBecause = 'Kept because the project Shop is running this image.';
    const { user, world } = renderPage(PATH, { images: [IMAGE, OTHER], keptBecause });
    const tags = within(await screen.findByRole('table', { name: 'Tags' }));
    expect(tags.getAllByText(keptBecause)).toHaveLength(2);
    await user.click(await screen.findByRole('button', { name: 'Set retention rule' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Retention of ada/weather' }));
    const newest = dialog.getByLabelText('Newest tags that stay');
    await user.clear(newest);
    await user.type(newest, '1');
    await user.click(dialog.getByRole('button', { name: 'Preview' }));
    expect(await dialog.findByText('1 of 2 tags would be deleted now, freeing 3.00 MB.')).toBeDefined();
    expect(dialog.getByText('Kept as one of the newest 1.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Set rule' }));
    const sentence = 'Every night, tags are deleted except the newest and those pushed within 30 days.';
    expect(await screen.findByText(sentence, { exact: false })).toBeDefined();
    expect(world.retentionRule).toMatchObject({ keepLast: 1, olderThanDays: 30, matching: '*' });
    await user.click(screen.getByRole('button', { name: 'Remove rule' }));
    expect(await screen.findByText('Tags stay until you delete them.')).toBeDefined();
  });

  it('says that nothing was pushed yet', async () => {
    renderPage(PATH, { images: [mockImage({ digest: null, pushedAt: null, size: 0 })] });
    expect(await screen.findByText('Nothing pushed to this tag yet')).toBeDefined();
    expect(screen.getAllByText('Never').length).toBeGreaterThan(0);
    expect(screen.queryByRole('heading', { name: 'Platforms' })).toBeNull();
  });

  it('follows what clients do to it, to its end', async () => {
    const { world } = renderPage(PATH, { images: [mockImage({ digest: null, pushedAt: null, size: 0 })] });
    await screen.findByText('Nothing pushed to this tag yet');
    const stream = await until(() => FakeEventSource.of('containers.changes'));
    world.images = [IMAGE];
    world.platforms = [PLATFORM];
    act(() => stream.send('1', { at: new Date().toISOString() }));
    expect(await screen.findByRole('table', { name: 'Layers of linux/arm64/v8' })).toBeDefined();
    expect(screen.queryByText('Nothing pushed to this tag yet')).toBeNull();
    world.images = [];
    act(() => stream.send('2', { at: new Date().toISOString() }));
    expect(await screen.findByText('This tag was deleted')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'ada/weather:latest' })).toBeDefined();
  });

  it('is not found for others', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderPage(PATH);
    expect(await screen.findByText("Not found, or you don't have access.")).toBeDefined();
  });
});
