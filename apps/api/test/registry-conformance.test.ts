import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Algorithm,
  type Call,
  digestOf,
  OCI_INDEX,
  pushBlob,
  type RegistryAnswer,
  registryClient,
  withQuery,
} from './registry-client.ts';
import { type DataKind, dataKinds, type ManifestToPush } from './registry-data.ts';
import { createWorld, type World } from './world.ts';

// The workflows of the OCI distribution spec's conformance suite (profile `dev`), row for row. `OCI_REGISTRY` (with
// `OCI_USERNAME`, `OCI_PASSWORD`, `OCI_REPO1` and `OCI_REPO2`) points them at another registry than ours.
const { OCI_REGISTRY, OCI_USERNAME, OCI_PASSWORD } = process.env;

const ERROR_CODES = [
  ...[
    'BLOB_UNKNOWN',
    'BLOB_UPLOAD_INVALID',
    'BLOB_UPLOAD_UNKNOWN',
    'DIGEST_INVALID',
    'MANIFEST_BLOB_UNKNOWN',
  ],
  ...['MANIFEST_INVALID', 'MANIFEST_UNKNOWN', 'NAME_INVALID', 'NAME_UNKNOWN', 'SIZE_INVALID', 'UNAUTHORIZED'],
  ...['DENIED', 'UNSUPPORTED', 'TOOMANYREQUESTS'],
];
const OCTETS = { 'content-type': 'application/octet-stream' };
const ALGORITHMS: readonly Algorithm[] = ['sha256', 'sha512'];

let world: World | undefined;
let call: Call;
let repo = process.env.OCI_REPO1 ?? 'conformance/one';
let other = process.env.OCI_REPO2 ?? 'conformance/two';

beforeAll(async () => {
  if (OCI_REGISTRY) {
    call = registryClient({ url: OCI_REGISTRY, username: OCI_USERNAME, password: OCI_PASSWORD });
    return;
  }
  world = await createWorld();
  const ada = await world.as('Ada');
  const { token } = await ada.rpc.auth.createToken.mutate({ name: 'Conformance', scope: 'write' });
  call = registryClient({ url: world.url, username: ada.user.email, password: token });
  repo = `${ada.user.handle}/conformance/one`;
  other = `${ada.user.handle}/conformance/two`;
});
afterAll(() => world?.close());

const blobPath = (digest: string, name = repo) => `/v2/${name}/blobs/${digest}`;
const manifestPath = (reference: string) => `/v2/${repo}/manifests/${reference}`;

function expectError(answer: RegistryAnswer, statuses: number[]): void {
  expect(statuses).toContain(answer.status);
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (!isJson || answer.body.length === 0) return;
  const { errors } = answer.json() as { errors: { code: string }[] };
  expect(errors.length).toBeGreaterThan(0);
  for (const { code } of errors) expect(ERROR_CODES).toContain(code);
}

async function begin(): Promise<string> {
  const answer = await call('POST', `/v2/${repo}/blobs/uploads/`, { headers: { 'content-length': '0' } });
  expect(answer.status).toBe(202);
  const location = answer.headers.get('location');
  expect(location).toBeTruthy();
  return location ?? '';
}

interface Part {
  location: string;
  content: Buffer;
  /** First byte. */
  at: number;
}

function chunkHeaders({ content, at }: Part) {
  return { ...OCTETS, 'content-range': `${at}-${at + content.length - 1}` };
}

function patchChunk(part: Part): Promise<RegistryAnswer> {
  return call('PATCH', part.location, { body: part.content, headers: chunkHeaders(part) });
}

/** Patches and answers where to go on. */
async function patched(part: Part): Promise<string> {
  const answer = await patchChunk(part);
  expect(answer.status).toBe(202);
  return answer.headers.get('location') ?? '';
}

function streamOf(content: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(content.subarray(0, 100)));
      controller.enqueue(new Uint8Array(content.subarray(100)));
      controller.close();
    },
  });
}

/** The five styles of pushing a blob; each answers what the last request got. */
const STYLES: Record<string, (content: Buffer, digest: string) => Promise<RegistryAnswer>> = {
  'POST with the whole blob': async (content, digest) => {
    const posted = await call('POST', withQuery(`/v2/${repo}/blobs/uploads/`, { digest }), {
      body: content,
      headers: OCTETS,
    });
    if (posted.status !== 202) return posted;
    const location = withQuery(posted.headers.get('location') ?? '', { digest });
    return call('PUT', location, { body: content, headers: OCTETS });
  },
  'POST, then PUT with the whole blob': async (content, digest) =>
    call('PUT', withQuery(await begin(), { digest }), { body: content, headers: OCTETS }),
  'one chunk': async (content, digest) => {
    const location = await patched({ location: await begin(), content, at: 0 });
    return call('PUT', withQuery(location, { digest }));
  },
  'chunks, the last one in PUT': async (content, digest) => {
    const half = Math.floor(content.length / 2);
    const third = half + Math.floor(half / 2);
    let location = await patched({ location: await begin(), content: content.subarray(0, half), at: 0 });
    location = await patched({ location, content: content.subarray(half, third), at: half });
    const last = { location, content: content.subarray(third), at: third };
    return call('PUT', withQuery(location, { digest }), { body: last.content, headers: chunkHeaders(last) });
  },
  'a stream': async (content, digest) => {
    const location = await begin();
    const answer = await call('PATCH', location, { body: streamOf(content), headers: OCTETS });
    expect(answer.status).toBe(202);
    return call('PUT', withQuery(answer.headers.get('location') ?? '', { digest }));
  },
};

test('GET /v2/ answers 200', async () => {
  expect((await call('GET', '/v2/')).status).toBe(200);
});

describe('an empty repository', () => {
  test('lists tags with 200 or 404', async () => {
    expect([200, 404]).toContain((await call('GET', `/v2/${repo}/tags/list`)).status);
  });

  test('has an empty index of referrers', async () => {
    const answer = await call('GET', `/v2/${repo}/referrers/${digestOf(randomBytes(9))}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(OCI_INDEX);
    expect(answer.json()).toMatchObject({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: [] });
  });
});

describe.each(ALGORITHMS)('blobs by %s', (algorithm) => {
  test.each(['GET', 'HEAD'])('%s of a missing blob is 404', async (method) => {
    expectError(await call(method, blobPath(digestOf(randomBytes(9), algorithm))), [404]);
  });

  describe.each(Object.entries(STYLES))('pushed as %s', (_style, push) => {
    test('answers 201 and a location that gives it back', async () => {
      const content = randomBytes(3000);
      const digest = digestOf(content, algorithm);
      const answer = await push(content, digest);
      expect(answer.status).toBe(201);
      const back = await call('GET', answer.headers.get('location') ?? '');
      expect(back.status).toBe(200);
      expect(back.body.equals(content)).toBe(true);
    });

    test('with a wrong digest is 400 and leaves nothing', async () => {
      const digest = digestOf(randomBytes(9), algorithm);
      expectError(await push(randomBytes(3000), digest), [400]);
      expect((await call('HEAD', blobPath(digest))).status).toBe(404);
    });
  });

  test.each([
    ['zero bytes', Buffer.alloc(0)],
    ['{}', Buffer.from('{}')],
  ])('a blob of %s comes back', async (_case, content) => {
    const digest = await pushBlob(call, repo, content, algorithm);
    const back = await call('GET', blobPath(digest));
    expect([back.status, back.body.toString()]).toEqual([200, content.toString()]);
  });

  test('the digest must be one', async () => {
    expectError(
      await call('PUT', withQuery(await begin(), { digest: `${algorithm}:bad` }), { body: 'x' }),
      [400],
    );
    expectError(await call('GET', blobPath(`${algorithm}:bad`)), [400, 404]);
  });

  test('HEAD and GET tell its size and digest', async () => {
    const content = randomBytes(6000);
    const digest = await pushBlob(call, repo, content, algorithm);
    for (const method of ['HEAD', 'GET']) {
      const answer = await call(method, blobPath(digest));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-length')).toBe('6000');
      expect(answer.headers.get('docker-content-digest') ?? digest).toBe(digest);
      expect(answer.body.length).toBe(method === 'HEAD' ? 0 : 6000);
    }
  });

  test.each([
    ['bytes=500-1499', 500, 1499],
    ['bytes=500-', 500, 2999],
    ['bytes=-500', 2500, 2999],
    ['bytes=2000-5000', 2000, 2999],
  ])('GET with Range %s is 206', async (range, start, end) => {
    const content = randomBytes(3000);
    const digest = await pushBlob(call, repo, content, algorithm);
    const answer = await call('GET', blobPath(digest), { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/3000`);
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
    expect(answer.body.equals(content.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=500-0', 'bytes=5000-10000'])('GET with Range %s is 416', async (range) => {
    const digest = await pushBlob(call, repo, randomBytes(3000), algorithm);
    expectError(await call('GET', blobPath(digest), { headers: { range } }), [416]);
  });

  test('mounts from another repository, or falls back to an upload', async () => {
    const content = randomBytes(700);
    const digest = await pushBlob(call, other, content, algorithm);
    const answer = await call(
      'POST',
      withQuery(`/v2/${repo}/blobs/uploads/`, { mount: digest, from: other }),
    );
    expect([201, 202]).toContain(answer.status);
    if (answer.status === 201) {
      const back = await call('GET', answer.headers.get('location') ?? '');
      expect(back.body.equals(content)).toBe(true);
    }
  });

  test('mounts from wherever it is, or falls back to an upload', async () => {
    const digest = await pushBlob(call, repo, randomBytes(700), algorithm);
    const answer = await call('POST', withQuery(`/v2/${repo}/blobs/uploads/`, { mount: digest }));
    expect([201, 202]).toContain(answer.status);
  });

  test('a mount of what is nowhere falls back to an upload', async () => {
    const mount = digestOf(randomBytes(9), algorithm);
    const answer = await call('POST', withQuery(`/v2/${repo}/blobs/uploads/`, { mount, from: other }));
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBeTruthy();
  });

  test('DELETE is 202, and then it is gone', async () => {
    const digest = await pushBlob(call, repo, randomBytes(700), algorithm);
    expect((await call('DELETE', blobPath(digest))).status).toBe(202);
    expect((await call('HEAD', blobPath(digest))).status).toBe(404);
  });
});

describe('an upload', () => {
  const content = randomBytes(4000);
  const digest = digestOf(content);
  const first = content.subarray(0, 2000);
  const second = content.subarray(2000);

  test.each(['PATCH', 'PUT'])('refuses a part out of order by %s with 416, and goes on', async (method) => {
    const begun = await begin();
    const early = { location: begun, content: second, at: 2000 };
    const sendEarly = (location: string) =>
      call(method, method === 'PUT' ? withQuery(location, { digest }) : location, {
        body: second,
        headers: chunkHeaders(early),
      });
    expectError(await sendEarly(begun), [416]);
    const location = await patched({ location: begun, content: first, at: 0 });
    expectError(await patchChunk({ location, content: first, at: 0 }), [416]);
    const status = await call('GET', location);
    expect(status.status).toBe(204);
    expect(status.headers.get('range')).toBe('0-1999');
    const next = status.headers.get('location') ?? '';
    expect(next).not.toBe('');
    const last = { location: next, content: second, at: 2000 };
    const done = await call('PUT', withQuery(next, { digest }), {
      body: second,
      headers: chunkHeaders(last),
    });
    expect(done.status).toBe(201);
  });

  test('says a chunk size that can be kept to', async () => {
    const answer = await call('POST', `/v2/${repo}/blobs/uploads/`);
    const least = Number(answer.headers.get('oci-chunk-min-length') ?? 0);
    expect(least).toBeLessThanOrEqual(1024 * 1024 * 1024);
  });

  test('DELETE cancels it with 204', async () => {
    const location = await begin();
    expect((await call('DELETE', location)).status).toBe(204);
    expectError(await call('PUT', withQuery(location, { digest }), { body: content }), [404]);
  });
});

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
