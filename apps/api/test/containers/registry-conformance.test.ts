import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Call,
  digestOf,
  OCI_INDEX,
  pushBlob,
  type RegistryAnswer,
  withQuery,
} from './registry-client.ts';
import {
  ALGORITHMS,
  type ConformanceTarget,
  createConformanceTarget,
  expectError,
} from './registry-conformance-world.ts';

const OCTETS = { 'content-type': 'application/octet-stream' };

let target: ConformanceTarget;
let call: Call;
let repo: string;
let other: string;

beforeAll(async () => {
  target = await createConformanceTarget();
  ({ call, repo, other } = target);
});
afterAll(() => target.close());

const blobPath = (digest: string, name = repo) => `/v2/${name}/blobs/${digest}`;

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
