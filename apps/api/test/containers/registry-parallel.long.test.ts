import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, digestOf, pushImage, withQuery } from './registry-client.ts';
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
  test('forty pushes of the same layers keep each blob once, and lose none', async () => {
    const layer = randomBytes(100_000);
    const pushers = [
      { owner: 'ada', call: patient(registry.asAda) },
      { owner: 'bob', call: patient(registry.asBob) },
    ] as const;
    const pusherOf = (index: number) => pushers[index % 2 === 0 ? 0 : 1];
    const nameOf = (index: number) => `${pusherOf(index).owner}/parallel-${index % 10}`;
    const pushes = Array.from({ length: 40 }, (_, index) =>
      pushImage(pusherOf(index).call, nameOf(index), { tag: `v${index}`, layer }),
    );
    const images = await Promise.all(pushes);
    expect(new Set(images.map(({ digest }) => digest)).size).toBe(1);
    const [, hex = ''] = digestOf(layer).split(':');
    const files = await readdir(join(registry.world.deps.settings.dataDir, 'objects'), { recursive: true });
    expect(files.filter((file) => file.endsWith(hex))).toHaveLength(1);
    expect(files.filter((file) => /^(uploads|temporary)\/./.test(file)).length).toBeLessThan(20);
    for (const index of [0, 1, 38, 39]) {
      const answer = await pusherOf(index).call('GET', `/v2/${nameOf(index)}/manifests/v${index}`);
      expect(answer.status).toBe(200);
    }
  });

  test.each([
    ['the whole of it', ['0-99999']],
    ['the last part of it', ['0-59999', '60000-99999']],
  ])('who is told to come again with an upload, and sends %s again, finds it', async (_, ranges) => {
    const { asAda, world } = registry;
    const blob = randomBytes(100_000);
    const digest = digestOf(blob);
    const begun = await asAda('POST', '/v2/ada/again/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    const parts = ranges.map((range) => {
      const [first = 0, last = 0] = range.split('-').map(Number);
      return { body: blob.subarray(first, last + 1), headers: { 'content-range': range } };
    });
    for (const part of parts.slice(0, -1)) expect((await asAda('PATCH', location, part)).status).toBe(202);
    const put = () => asAda('PUT', withQuery(location, { digest }), parts.at(-1));
    await world.deps.db.transaction().execute(async (trx) => {
      // As another push of the blob holds it, but for longer than anybody waits.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`blob ${digest}`}, 0))`.execute(trx);
      expect((await put()).status).toBe(503);
    });
    expect((await put()).status).toBe(201);
    expect((await asAda('GET', `/v2/ada/again/blobs/${digest}`)).body.equals(blob)).toBe(true);
    expect((await asAda('GET', location)).status).toBe(404);
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
