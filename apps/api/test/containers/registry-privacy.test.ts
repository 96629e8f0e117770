import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findUpload } from '../../src/domains/containers/registry/upload-store.ts';
import {
  digestOf,
  makeToken,
  pushImage,
  putManifest,
  type RegistryAnswer,
  withQuery,
} from './registry-client.ts';
import { basic, createRegistryWorld, type RegistryWorld } from './registry-world.ts';

/** Stands in the private layer. */
const SECRET = 'for Ada alone';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

/** What an answer tells, but for the name that was asked for. */
function told({ status, headers, body }: RegistryAnswer, name: string) {
  const shown = [
    'content-type',
    'content-length',
    'www-authenticate',
    'location',
    'range',
    'docker-content-digest',
  ];
  const values = shown.map((header) => headers.get(header)?.replaceAll(name, 'NAME'));
  return { status, values, body: body.toString().replaceAll(name, 'NAME') };
}

describe("somebody else's private repository", () => {
  let image: Awaited<ReturnType<typeof pushImage>>;
  let readingToken: string;
  beforeAll(async () => {
    const layer = Buffer.from(`${SECRET} ${randomBytes(500).toString('hex')}`);
    image = await pushImage(registry.asAda, 'ada/private', { tag: 'v1', layer });
    await pushImage(registry.asAda, 'ada/hidden', { tag: 'v1', layer });
    readingToken = (await makeToken(registry.bob, 'read')).token;
  });

  test('answers exactly as one that is not there, to everything', async () => {
    const paths: [string, (name: string) => string][] = [
      ['GET', (name) => `/v2/${name}/manifests/v1`],
      ['HEAD', (name) => `/v2/${name}/manifests/v1`],
      ['GET', (name) => `/v2/${name}/manifests/${image.digest}`],
      ['GET', (name) => `/v2/${name}/blobs/${image.layer.digest}`],
      ['HEAD', (name) => `/v2/${name}/blobs/${image.layer.digest}`],
      ['GET', (name) => `/v2/${name}/tags/list`],
      ['GET', (name) => `/v2/${name}/referrers/${image.digest}`],
      ['DELETE', (name) => `/v2/${name}/manifests/v1`],
      ['DELETE', (name) => `/v2/${name}/blobs/${image.layer.digest}`],
      ['POST', (name) => `/v2/${name}/blobs/uploads/`],
    ];
    for (const call of [registry.asBob, registry.asAnyone]) {
      for (const [method, path] of paths) {
        const [there, absent] = [
          await call(method, path('ada/private')),
          await call(method, path('ada/nothing')),
        ];
        expect(told(there, 'ada/private')).toEqual(told(absent, 'ada/nothing'));
        expect([401, 403, 404]).toContain(there.status);
      }
    }
    expect((await registry.asAda('GET', '/v2/ada/private/manifests/v1')).status).toBe(200);
  });

  test('gives nothing away to a mount: it begins an upload like that of an unknown blob', async () => {
    const mount = (digest: string, from?: string) =>
      registry.asBob(
        'POST',
        withQuery('/v2/bob/app/blobs/uploads/', { mount: digest, ...(from && { from }) }),
      );
    const unknown = digestOf(randomBytes(9));
    const answers = [
      await mount(image.layer.digest, 'ada/private'),
      await mount(image.layer.digest),
      await mount(image.layer.digest, 'ada/nothing'),
      await mount(unknown, 'ada/private'),
      await mount(unknown),
    ];
    const told = answers.map(({ status, headers, body }) => [
      status,
      [...headers.keys()].filter((header) => header !== 'date').toSorted(),
      headers.get('range'),
      body.toString(),
    ]);
    expect(told[0]?.[0]).toBe(202);
    for (const one of told) expect(one).toEqual(told[0]);
    expect((await registry.asBob('HEAD', `/v2/bob/app/blobs/${image.layer.digest}`)).status).toBe(404);
  });

  test('mounts for whoever may pull it', async () => {
    const target = withQuery('/v2/bob/mounted/blobs/uploads/', {
      mount: image.layer.digest,
      from: 'ada/private',
    });
    await registry.publish('ada/private', true);
    try {
      // The way Docker asks: one token for both repositories.
      const scopes = ['repository:bob/mounted:pull,push', 'repository:ada/private:pull'];
      const query = new URLSearchParams(scopes.map((scope): [string, string] => ['scope', scope]));
      const tokenFor = async (parameters: URLSearchParams) => {
        const authorization = basic('bob', registry.bobToken);
        const answer = await registry.ask('GET', `/v2/token?${parameters}`, { authorization });
        return { authorization: `Bearer ${(JSON.parse(answer.text) as { token: string }).token}` };
      };
      const narrow = await tokenFor(new URLSearchParams({ scope: 'repository:bob/mounted:pull,push' }));
      expect((await registry.ask('POST', target, narrow)).status).toBe(202);
      expect((await registry.ask('POST', target, await tokenFor(query))).status).toBe(201);
      expect((await registry.asBob('HEAD', `/v2/bob/mounted/blobs/${image.layer.digest}`)).status).toBe(200);
    } finally {
      await registry.publish('ada/private', false);
    }
  });

  test('cannot be filled, and neither can its uploads be touched', async () => {
    const begun = await registry.asAda('POST', '/v2/ada/private/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    const foreign = location.replace('ada/private', 'bob/app');
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
      const address = method === 'PUT' ? withQuery(foreign, { digest: digestOf('x') }) : foreign;
      const answer = await registry.asBob(method, address);
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect((await registry.asAda('GET', location)).status).toBe(204);
    const elsewhere = location.replace('ada/private', 'ada/elsewhere');
    expect((await registry.asAda('GET', elsewhere)).status).toBe(404);
    const upload = { id: location.split('/').at(-1) ?? '', repository: 'ada/private' };
    const { db } = registry.world.deps;
    expect(await findUpload(db, { ...upload, ownerId: registry.ada.user.id })).toBe(true);
    expect(await findUpload(db, { ...upload, ownerId: registry.bob.user.id })).toBe(false);
    expect((await putManifest(registry.asBob, 'ada/private', 'v1', image.content)).status).toBe(403);
    expect((await putManifest(registry.asBob, 'bob/stolen', 'v1', image.content)).status).toBe(400);
  });

  test('is read in none of 300 random tries', async () => {
    const digests = [image.layer.digest, image.config.digest, image.digest];
    const guess = fc.record({
      authorization: fc.constantFrom(`Bearer ${registry.bobToken}`, `Bearer ${readingToken}`, undefined),
      name: fc.oneof(
        fc.constantFrom('ada/private', 'ada/hidden', 'ada/nothing', 'ada', 'bob/app'),
        fc.stringMatching(/^bob\/[a-z0-9]{1,8}$/),
      ),
      by: fc.constantFrom('GET blobs', 'HEAD blobs', 'GET manifests', 'HEAD manifests', 'mount'),
      digest: fc.constantFrom(...digests),
      range: fc.constantFrom('bytes=0-', 'bytes=-1', undefined),
    });
    const read = fc.asyncProperty(guess, async ({ authorization, name, by, digest, range }) => {
      const headers = { ...(authorization && { authorization }), ...(range && { range }) };
      const [method = '', part] = by.split(' ');
      const path = `/v2/${name}/${part}/${digest}`;
      const answer = part
        ? await registry.ask(method, path, headers)
        : await registry.ask('POST', `/v2/bob/app/blobs/uploads/?mount=${digest}&from=${name}`, headers);
      // What begins an upload, for who may push there, has mounted nothing.
      expect([401, 403, 404, ...(part ? [] : [202])]).toContain(answer.status);
      expect(answer.text).not.toContain(SECRET);
    });
    await fc.assert(read, { numRuns: 300 });
    for (const digest of digests) {
      const part = digest === image.digest ? 'manifests' : 'blobs';
      expect((await registry.asAda('GET', `/v2/ada/hidden/${part}/${digest}`)).status).toBe(200);
      expect((await registry.asBob('HEAD', `/v2/bob/app/blobs/${digest}`)).status).toBe(404);
    }
  });
});
