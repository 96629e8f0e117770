import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMirror, sweepMirror } from '../../src/domains/containers/mirror/mirror.ts';
import { scrub } from '../../src/domains/stored-bytes/rounds.ts';
import { bytesOf, listed } from '../platform/object-store-contract.ts';
import { createWorld, type World } from '../world.ts';
import { type Call, makeToken, pushImage, registryClient } from './registry-client.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

const LIMIT = 3_000_000;

/** The registry that is mirrored, with private images of Ada's, behind a door that can be shut and counts. */
let upstream: RegistryWorld;
let door: Server;
const asked: string[] = [];
/** Where the door leads to below `/away`. */
let away = '';
/** What the door does with an answer's bytes. */
let change: ((bytes: Buffer) => Buffer) | undefined;
let isShut = false;
let world: World;
let pull: Call;

beforeAll(async () => {
  upstream = await createRegistryWorld();
  door = createServer(async (request, response) => {
    const { url = '', method, headers } = request;
    if (isShut) return response.destroy();
    if (url.startsWith('/elsewhere'))
      return response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end();
    if (url.startsWith('/away')) return response.writeHead(307, { location: away }).end();
    if (!url.startsWith('/v2/token')) asked.push(`${method} ${url.replace(/^\/v2\//, '')}`);
    const { authorization, accept } = headers;
    const answer = await fetch(new URL(url, upstream.world.url), {
      ...(method !== undefined && { method }),
      headers: { ...(authorization && { authorization }), ...(accept && { accept }) },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const told = Object.fromEntries(answer.headers);
    const challenge = told['www-authenticate']?.replace(/realm="[^"]*\/v2/, `realm="${addressOf(door)}/v2`);
    response.writeHead(answer.status, { ...told, ...(challenge && { 'www-authenticate': challenge }) });
    response.end(answer.status === 200 && change && !url.startsWith('/v2/token') ? change(bytes) : bytes);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = new URL(addressOf(door));
  world = await createWorld({
    settings: { registryMirror: { url, username: 'ada', password: upstream.adaToken, size: LIMIT } },
  });
  const eve = await world.as('Eve');
  pull = registryClient({ url: world.url, username: 'eve', password: (await makeToken(eve, 'read')).token });
});
afterAll(async () => {
  door.close();
  await world.close();
  await upstream.close();
});

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sha256 = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const kept = async () => (await listed(world.deps.objects, 'mirror/')).map(({ size }) => size);
const whatWasAsked = () => asked.splice(0);
const later = () =>
  world.deps.db
    .updateTable('mirroredTags')
    .set({ checkedAt: sql<string>`now() - interval '6 minutes'` })
    .execute();

test('an image is fetched once, and pulled from here then, also while the other registry is away', async () => {
  const layer = randomBytes(1_500_000);
  const image = await pushImage(upstream.asAda, 'ada/web', { layer });
  const manifest = '/v2/mirror/ada/web/manifests/latest';
  const blob = `/v2/mirror/ada/web/blobs/${image.layer.digest}`;
  const first = await pull('GET', manifest);
  expect([first.status, first.body.toString(), first.headers.get('docker-content-digest')]).toEqual([
    ...[200, image.content, image.digest],
  ]);
  expect((await pull('HEAD', blob)).headers.get('content-length')).toBe('1500000');
  const whole = await pull('GET', blob, { headers: { range: 'bytes=5-9' } });
  expect([whole.status, sha256(whole.body)]).toEqual([200, image.layer.digest]);
  expect(whatWasAsked().filter((call) => call.includes('blobs'))).toEqual([
    ...['HEAD', 'GET'].map((method) => `${method} ada/web/blobs/${image.layer.digest}`),
  ]);

  isShut = true;
  await later();
  for (const reference of ['latest', image.digest]) {
    const again = await pull('GET', manifest.replace('latest', reference));
    expect([again.status, again.body.toString()]).toEqual([200, image.content]);
  }
  expect(await pull('HEAD', manifest)).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  const part = await pull('GET', blob, { headers: { range: 'bytes=5-9' } });
  expect([part.status, part.body]).toEqual([206, layer.subarray(5, 10)]);
  const other = await pull('GET', '/v2/mirror/ada/else/manifests/latest');
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '30']);
  isShut = false;

  // A tag is what it was for some minutes, and asked again then.
  const next = await pushImage(upstream.asAda, 'ada/web');
  await pull('GET', manifest);
  await later();
  whatWasAsked();
  expect((await pull('GET', manifest)).body.toString()).toBe(next.content);
  expect((await pull('GET', manifest)).body.toString()).toBe(next.content);
  expect(whatWasAsked()).toEqual(['HEAD ada/web/manifests/latest', `GET ada/web/manifests/${next.digest}`]);
});

test('bytes that are not what their digest says reach nobody whole, and are not kept', async () => {
  const image = await pushImage(upstream.asAda, 'ada/forged', { layer: randomBytes(1_000_000) });
  const before = await kept();
  change = (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]);
  expect((await pull('GET', `/v2/mirror/ada/forged/manifests/${image.digest}`)).status).toBe(503);
  expect((await pull('GET', `/v2/mirror/ada/forged/blobs/${image.config.digest}`)).status).toBe(503);
  await expect(pull('GET', `/v2/mirror/ada/forged/blobs/${image.layer.digest}`)).rejects.toThrow();
  change = undefined;
  expect(await kept()).toEqual(before);
  expect((await pull('GET', `/v2/mirror/ada/forged/blobs/${image.layer.digest}`)).status).toBe(200);
});

test('bytes that rot here, or are missing after a restore, are fetched once more', async () => {
  const { db, objects } = world.deps;
  const layer = randomBytes(100_000);
  const image = await pushImage(upstream.asAda, 'ada/rotten', { layer });
  const blob = `/v2/mirror/ada/rotten/blobs/${image.layer.digest}`;
  await pull('GET', blob);
  const key = `mirror/blobs/${image.layer.digest.replace(':', '/')}`;
  // No backup has what is mirrored, but the rows that tell of it.
  await objects.delete(key);
  expect(sha256((await pull('GET', blob)).body)).toBe(image.layer.digest);
  await objects.put(key, bytesOf('rotten'));
  const log = pino({ level: 'silent' });
  await scrub({ db, objects, log, backups: () => (async function* () {})() }, new AbortController().signal);
  expect(await db.selectFrom('damagedObjects').selectAll().execute()).toEqual([]);
  expect(sha256((await pull('GET', blob)).body)).toBe(image.layer.digest);
});

test('what was not used for longest goes when there is no room', async () => {
  const names = ['ada/one', 'ada/two', 'ada/three'];
  const images = [];
  for (const name of names) {
    const image = await pushImage(upstream.asAda, name, { layer: randomBytes(1_200_000) });
    images.push(image);
    await pull('GET', `/v2/mirror/${name}/blobs/${image.layer.digest}`);
    await world.deps.db
      .updateTable('mirroredContents')
      .set({ usedAt: sql<string>`used_at - interval '1 hour'` })
      .execute();
    // Asking for the first one again is a use of it.
    await pull('HEAD', `/v2/mirror/ada/one/blobs/${images[0]?.layer.digest}`);
  }
  const mirror = await createMirror(world.deps);
  if (!mirror) throw new Error('there is no mirror');
  await sweepMirror(mirror);
  const sizes = await kept();
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LIMIT);
  expect(sizes.filter((size) => size === 1_200_000)).toHaveLength(2);
  whatWasAsked();
  for (const at of [0, 2, 1]) {
    const blob = `/v2/mirror/${names[at]}/blobs/${images[at]?.layer.digest}`;
    expect((await pull('GET', blob)).status).toBe(200);
  }
  expect(whatWasAsked()).toEqual([`GET ada/two/blobs/${images[1]?.layer.digest}`]);
});

test('a layer that could never be kept is refused before its bytes are taken', async () => {
  const image = await pushImage(upstream.asAda, 'ada/huge', { layer: randomBytes(LIMIT + 1) });
  const before = await kept();
  const answer = await pull('GET', `/v2/mirror/ada/huge/blobs/${image.layer.digest}`);
  expect(answer.status).toBe(413);
  expect(await kept()).toEqual(before);
});

test('is pulled from alone, by who has an account, and leads nowhere else', async () => {
  const path = '/v2/mirror/ada/web/manifests/latest';
  expect((await fetch(new URL(path, world.url))).status).toBe(401);
  expect((await registryClient({ url: world.url })('GET', path)).status).toBe(401);
  const pushed = await pull('PUT', path, { body: '{}' });
  expect(pushed.status).toBeGreaterThanOrEqual(401);
  expect((await pull('GET', '/v2/mirror/ada/none/manifests/latest')).status).toBe(404);
  expect((await pull('GET', `/v2/mirror/ada/web/blobs/sha256:${'0'.repeat(64)}`)).status).toBe(404);
  expect((await pull('GET', '/v2/mirror/ada/web/tags/list')).status).toBe(405);
  for (const wrong of ['/v2/mirror/../x/manifests/a', '/v2/mirror/a%2f..%2fb/manifests/a']) {
    expect((await pull('GET', wrong)).status).toBeGreaterThanOrEqual(400);
  }
  const moved = new URL('/elsewhere/', addressOf(door));
  const settings = {
    ...{ ...world.deps.settings, allowPrivateRepositories: false },
    registryMirror: { url: moved, size: 1, username: undefined, password: undefined },
  };
  const mirror = await createMirror({ ...world.deps, settings });
  await expect(mirror?.ask({ method: 'GET', name: 'a', path: 'manifests/b' })).rejects.toThrow(
    'not public https',
  );
  // Who has the bytes is not told the log-in, whatever it asks for.
  const seen: unknown[] = [];
  const bytes = createServer(({ url, headers }, response) => {
    seen.push([url, headers.authorization]);
    const realm = `Bearer realm="${addressOf(bytes)}/token"`;
    response.writeHead(401, { 'www-authenticate': realm }).end();
  });
  bytes.listen(0, '127.0.0.1');
  await once(bytes, 'listening');
  away = `${addressOf(bytes)}/bytes`;
  const trusting = await createMirror({
    ...world.deps,
    settings: {
      ...{ ...settings, allowPrivateRepositories: true },
      registryMirror: {
        ...settings.registryMirror,
        url: new URL('/away/', addressOf(door)),
        username: 'ada',
        password: 'x',
      },
    },
  });
  const asking = trusting?.ask({ method: 'GET', name: 'a', path: 'blobs/b' });
  await expect(asking).rejects.toThrow('where it leads to');
  expect(seen).toEqual([['/bytes', undefined]]);
  bytes.close();
  // Nobody gets the name that its images have.
  expect((await world.as('Mirror')).user.handle).toBe('mirror-2');
});
