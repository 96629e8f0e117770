import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, digestOf, OCI_INDEX, pushBlob, withQuery } from './registry-client.ts';
import {
  ALGORITHMS,
  type ConformanceTarget,
  createConformanceTarget,
  expectError,
} from './registry-conformance-world.ts';
import { type DataKind, dataKinds, type ManifestToPush } from './registry-data.ts';

let target: ConformanceTarget;
let call: Call;
let repo: string;

beforeAll(async () => {
  target = await createConformanceTarget();
  // Not the one that the other file finds empty at first.
  ({ call, other: repo } = target);
});
afterAll(() => target.close());

const manifestPath = (reference: string) => `/v2/${repo}/manifests/${reference}`;

describe.each(ALGORITHMS)('manifests by %s', (algorithm) => {
  const kinds = dataKinds(algorithm);
  const tagOf = (kind: DataKind) => `${kind.name}-${algorithm}`;
  const isTagged = algorithm === 'sha256';

  beforeAll(async () => {
    for (const { blobs } of kinds) for (const blob of blobs) await pushBlob(call, repo, blob, algorithm);
  });

  async function push({ content, mediaType, subject, digest }: ManifestToPush, reference: string) {
    const answer = await call('PUT', manifestPath(reference), {
      body: content,
      headers: { 'content-type': mediaType },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('docker-content-digest') ?? digest).toBe(digest);
    if (subject) expect(answer.headers.get('oci-subject')).toBe(subject);
    const back = await call('GET', answer.headers.get('location') ?? '', { headers: { accept: mediaType } });
    expect(back.body.toString()).toBe(content);
  }

  async function expectBack({ content, mediaType, digest }: ManifestToPush, reference: string) {
    for (const method of ['HEAD', 'GET']) {
      const answer = await call(method, manifestPath(reference), { headers: { accept: mediaType } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(mediaType);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(content)));
      expect(answer.headers.get('docker-content-digest') ?? digest).toBe(digest);
      expect(answer.body.toString()).toBe(method === 'HEAD' ? '' : content);
    }
  }

  test.each(kinds)('$name is taken by digest and tag, and comes back as it was', async (kind) => {
    for (const manifest of kind.manifests) await push(manifest, manifest.digest);
    for (const manifest of kind.manifests) await expectBack(manifest, manifest.digest);
    const root = kind.manifests.at(-1);
    if (!root || !isTagged) return;
    await push(root, tagOf(kind));
    await expectBack(root, tagOf(kind));
  });

  test('a push by digest can name tags', async () => {
    const root = kinds[0]?.manifests[0];
    if (!root) throw new Error('there is no image');
    const tags = [`one-${algorithm}`, `two-${algorithm}`];
    const query = new URLSearchParams(tags.map((tag): [string, string] => ['tag', tag]));
    const answer = await call('PUT', `${manifestPath(root.digest)}?${query}`, {
      body: root.content,
      headers: { 'content-type': root.mediaType },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('oci-tag')?.split(/, */)).toEqual(tags);
    for (const tag of tags) await expectBack(root, tag);
  });

  test.each(kinds.filter((kind) => kind.manifests.some(({ subject }) => subject)))(
    '$name: the subject has its referrers, all and by their type',
    async ({ manifests }) => {
      const root = manifests.find(({ subject }) => subject);
      if (!root) throw new Error('there is no referrer');
      const path = `/v2/${repo}/referrers/${root.subject}`;
      const all = await call('GET', path);
      expect([all.status, all.headers.get('content-type')]).toEqual([200, OCI_INDEX]);
      const described = {
        mediaType: root.mediaType,
        digest: root.digest,
        size: Buffer.byteLength(root.content),
        artifactType: root.artifactType,
      };
      expect(all.json()).toMatchObject({ schemaVersion: 2, manifests: [described] });
      const typed = await call('GET', withQuery(path, { artifactType: root.artifactType ?? '' }));
      expect(typed.headers.get('oci-filters-applied')).toBe('artifactType');
      expect(typed.json()).toMatchObject({ manifests: [described] });
      const none = await call('GET', withQuery(path, { artifactType: 'application/vnd.example.none' }));
      expect(none.json()).toMatchObject({ manifests: [] });
    },
  );

  test('a missing manifest is 404, by tag and by digest', async () => {
    for (const method of ['GET', 'HEAD']) {
      expectError(await call(method, manifestPath('no-such-tag')), [404]);
      expectError(await call(method, manifestPath(digestOf(randomBytes(9), algorithm))), [404]);
    }
  });

  test('a digest that is none, or not of the content, is refused', async () => {
    const headers = { 'content-type': kinds[0]?.manifests[0]?.mediaType ?? '' };
    const body = kinds[0]?.manifests[0]?.content ?? '';
    expectError(await call('PUT', manifestPath('sha256:baddigeststring'), { body, headers }), [400]);
    expectError(await call('GET', manifestPath('sha256:baddigeststring')), [400, 404]);
    const wrong = digestOf(randomBytes(9), algorithm);
    expectError(await call('PUT', manifestPath(wrong), { body, headers }), [400]);
    expectError(await call('GET', manifestPath(wrong)), [404]);
  });

  test('an image whose blobs are not there is refused', async () => {
    const [kind] = dataKinds(algorithm);
    const { content, mediaType, digest } = kind?.manifests[0] ?? { content: '', mediaType: '', digest: '' };
    const answer = await call('PUT', manifestPath(digest), {
      body: content,
      headers: { 'content-type': mediaType },
    });
    expectError(answer, [400, 404]);
  });

  test('DELETE of a tag leaves the manifest, DELETE of the digest ends both', async () => {
    const kind = kinds.find(({ name }) => name === 'custom-fields');
    const root = kind?.manifests[0];
    if (!kind || !root) throw new Error('there is no image');
    for (const tag of ['gone', 'kept']) {
      const query = new URLSearchParams({ tag });
      await call('PUT', `${manifestPath(root.digest)}?${query}`, {
        body: root.content,
        headers: { 'content-type': root.mediaType },
      });
      if (isTagged) await push(root, tag);
    }
    expect((await call('DELETE', manifestPath('gone'))).status).toBe(202);
    expect((await call('HEAD', manifestPath('gone'))).status).toBe(404);
    await expectBack(root, root.digest);
    expect((await call('DELETE', manifestPath(root.digest))).status).toBe(202);
    for (const reference of ['kept', root.digest]) {
      expect((await call('HEAD', manifestPath(reference))).status).toBe(404);
    }
  });
});

describe('tags', () => {
  const list = async (query = '') => {
    const answer = await call('GET', `/v2/${repo}/tags/list${query}`);
    expect(answer.status).toBe(200);
    const { name, tags } = answer.json() as { name: string; tags: string[] | null };
    expect(name).toBe(repo);
    return { tags: tags ?? [], link: answer.headers.get('link') };
  };

  test('are listed in order', async () => {
    const { tags } = await list();
    expect(tags.length).toBeGreaterThan(10);
    expect(tags).toContain('image-sha256');
    expect(tags).toEqual(tags.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  test('are paged by n and last, with a link to the next page', async () => {
    const { tags } = await list();
    const page = await list('?n=3');
    expect(page.tags).toEqual(tags.slice(0, 3));
    const [, next = ''] = /^<([^>]+)>; *rel="?next"?/.exec(page.link ?? '') ?? [];
    expect(next).not.toBe('');
    expect((await call('GET', next)).json()).toMatchObject({ tags: tags.slice(3, 6) });
    expect((await list(`?n=3&last=${tags[2]}`)).tags).toEqual(tags.slice(3, 6));
  });

  test('begin strictly after last', async () => {
    const { tags } = await list();
    expect((await list(`?last=${tags[4]}`)).tags).toEqual(tags.slice(5));
    expect((await list(`?last=${tags.at(-1)}`)).tags).toEqual([]);
    expect((await list('?n=0')).tags).toEqual([]);
  });
});
