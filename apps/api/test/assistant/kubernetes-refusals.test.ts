import { ManifestInput } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
});

afterAll(() => world.close());

describe('a manifest is refused', () => {
  const grammar = 'Enter an image reference, like registry.example.com/ada/shop:1.2.';
  const either = 'Choose either one of your projects or an image.';
  const id = '01a1fd70-1c66-7e8b-ac9e-575aaa1d6e87';
  test.each([
    [{}, either],
    [{ image: 'nginx', projectId: id }, either],
    [{ image: 'Nginx' }, grammar],
    [{ image: 'nginx:' }, grammar],
    [{ image: 'nginx:-x' }, grammar],
    [{ image: 'a//b' }, grammar],
    [{ image: 'nginx latest' }, grammar],
    [{ image: 'nginx@sha256:abc' }, grammar],
    [{ image: 'https://nginx' }, grammar],
    [{ image: 'x/$(id)' }, grammar],
    [{ image: `${'a'.repeat(256)}` }, grammar],
    [{ image: 'a'.repeat(501) }, 'Image can have at most 500 characters.'],
    [{ image: 'nginx\nkind: Pod' }, "Image contains characters that can't be displayed."],
    [
      { image: 'nginx', minReplicas: '6', maxReplicas: '5' },
      "Maximum replicas can't be lower than minimum replicas.",
    ],
    [{ image: 'nginx', minReplicas: '0' }, 'Replicas must be a whole number from 1 to 100.'],
    [{ image: 'nginx', maxReplicas: '101' }, 'Replicas must be a whole number from 1 to 100.'],
    [{ image: 'nginx', port: '65536' }, 'Port must be a whole number from 1 to 65535.'],
    [{ image: 'nginx', host: '10.0.0.1' }, 'Enter a host name, not an IP address.'],
    [{ image: 'nginx', host: 'a b.com' }, 'Use only letters, digits and hyphens, like www.example.com.'],
  ])('for %j', async (query, message) => {
    const answer = await ada.rest(`GET /api/assistant/manifest?${new URLSearchParams(query)}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION', message } });
  });
});

test('the grammar takes what clients take', () => {
  for (const reference of [
    'a',
    'library/nginx:1.27-alpine',
    'localhost:3000/ada/tools/weather:v1',
    '[2001:db8::1]:5000/a/b',
    `quay.io/a__b/c--d@sha512:${'f'.repeat(128)}`,
    `UPPER.example.com/low:Tag_1.2`,
  ]) {
    expect(ManifestInput.safeParse({ image: reference }).success, reference).toBe(true);
  }
});
