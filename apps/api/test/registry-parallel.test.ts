import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, digestOf, pushImage } from './registry-client.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

/** A client that asks again, as real ones do, when the server is too busy. */
function patient(call: Call): Call {
  return async (...request) => {
    for (;;) {
      const answer = await call(...request);
      if (answer.status !== 503) return answer;
      await pause(Number(answer.headers.get('retry-after')) * 1000);
    }
  };
}

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

describe('many at once', () => {
  test('a hundred pushes of the same layers keep each blob once, and lose none', async () => {
    const layer = randomBytes(100_000);
    const pushers = [
      { owner: 'ada', call: patient(registry.asAda) },
      { owner: 'bob', call: patient(registry.asBob) },
    ] as const;
    const pusherOf = (index: number) => pushers[index % 2 === 0 ? 0 : 1];
    const nameOf = (index: number) => `${pusherOf(index).owner}/parallel-${index % 10}`;
    const pushes = Array.from({ length: 100 }, (_, index) =>
      pushImage(pusherOf(index).call, nameOf(index), { tag: `v${index}`, layer }),
    );
    const images = await Promise.all(pushes);
    expect(new Set(images.map(({ digest }) => digest)).size).toBe(1);
    const [, hex = ''] = digestOf(layer).split(':');
    const files = await readdir(join(registry.world.deps.settings.dataDir, 'objects'), { recursive: true });
    expect(files.filter((file) => file.endsWith(hex))).toHaveLength(1);
    expect(files.filter((file) => /^(uploads|temporary)\/./.test(file)).length).toBeLessThan(20);
    for (const index of [0, 1, 98, 99]) {
      const answer = await pusherOf(index).call('GET', `/v2/${nameOf(index)}/manifests/v${index}`);
      expect(answer.status).toBe(200);
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
