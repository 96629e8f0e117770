import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, pushImage } from './registry-client.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

describe('many at once', () => {
  test('a hundred pushes of the same layers keep each blob once, and lose none', async () => {
    const layer = randomBytes(100_000);
    const pushes = Array.from({ length: 100 }, (_, index) =>
      pushImage(
        index % 2 === 0 ? registry.asAda : registry.asBob,
        `${index % 2 === 0 ? 'ada' : 'bob'}/parallel-${index % 10}`,
        {
          tag: `v${index}`,
          layer,
        },
      ),
    );
    const images = await Promise.all(pushes);
    expect(new Set(images.map(({ digest }) => digest)).size).toBe(1);
    const [, hex = ''] = digestOf(layer).split(':');
    const files = await readdir(join(registry.world.deps.settings.dataDir, 'objects'), { recursive: true });
    expect(files.filter((file) => file.endsWith(hex))).toHaveLength(1);
    expect(files.filter((file) => /^(uploads|temporary)\/./.test(file)).length).toBeLessThan(20);
    for (const index of [0, 1, 98, 99]) {
      const owner = index % 2 === 0 ? 'ada' : 'bob';
      const call = index % 2 === 0 ? registry.asAda : registry.asBob;
      expect((await call('GET', `/v2/${owner}/parallel-${index % 10}/manifests/v${index}`)).status).toBe(200);
    }
  });

  test('one upload takes one part at a time', async () => {
    const begun = await registry.asAda('POST', '/v2/ada/app/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    const parts = Array.from({ length: 5 }, () =>
      registry.asAda('PATCH', location, {
        body: randomBytes(50_000),
        headers: { 'content-range': '0-49999' },
      }),
    );
    const statuses = (await Promise.all(parts)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([202, 416, 416, 416, 416]);
  });
});
