import { createConnection } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  descriptorOf,
  digestOf,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_MANIFEST,
  pushBlob,
  pushImage,
  putManifest,
  withQuery,
} from './registry-client.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

/** A GET whose path is sent as it stands. */
function rawGet(path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(registry.world.url);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname);
    let text = '';
    const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
  });
}

describe('bad input', () => {
  const direct = () => ({ authorization: `Bearer ${registry.adaToken}` });

  test.each([
    ['/v2/Ada/app/tags/list', 400, 'NAME_INVALID'],
    ['/v2/ada/../bob/tags/list', 400, 'NAME_INVALID'],
    ['/v2/ada//app/tags/list', 400, 'NAME_INVALID'],
    ['/v2/ada%2Fapp/tags/list', 400, 'NAME_INVALID'],
    ['/v2/ada/%2e%2e/x/tags/list', 400, 'NAME_INVALID'],
    ['/v2/ada/app%00/tags/list', 400, 'NAME_INVALID'],
    [`/v2/ada/${'x'.repeat(197)}/tags/list`, 400, 'NAME_INVALID'],
    ['/v2/ada/app/blobs/sha256:zz', 400, 'DIGEST_INVALID'],
    [`/v2/ada/app/blobs/sha256:${'A'.repeat(64)}`, 400, 'DIGEST_INVALID'],
    [`/v2/ada/app/blobs/md5:${'a'.repeat(32)}`, 400, 'DIGEST_INVALID'],
    ['/v2/ada/app/blobs/..%2f..%2fetc%2fpasswd', 400, 'DIGEST_INVALID'],
    ['/v2/ada/app/blobs/%', 400, 'NAME_INVALID'],
    ['/v2/ada/app/manifests/.hidden', 404, 'MANIFEST_UNKNOWN'],
    ['/v2/ada/app/manifests/a%00b', 404, 'MANIFEST_UNKNOWN'],
    [`/v2/ada/app/manifests/${'x'.repeat(129)}`, 404, 'MANIFEST_UNKNOWN'],
    ['/v2/ada/app/referrers/nonsense', 400, 'DIGEST_INVALID'],
    ['/v2/ada/app', 404, 'NAME_UNKNOWN'],
    ['/v2/ada/app/tags/list?n=x', 400, 'UNSUPPORTED'],
    ['/v2/ada/app/tags/list?n=-1', 400, 'UNSUPPORTED'],
    ['/v2/ada/app/tags/list?last=%00', 400, 'UNSUPPORTED'],
  ])('GET %s is %d %s', async (path, status, code) => {
    await pushImage(registry.asAda, 'ada/app');
    // As it stands: fetch would resolve the dots.
    const raw = await rawGet(path, direct());
    expect(raw.split('\r\n')[0]).toContain(` ${status} `);
    expect(raw).toContain(`"code":"${code}"`);
  });

  test.each([
    ['POST', '/v2/ada/app/tags/list'],
    ['PUT', '/v2/ada/app/blobs/uploads/'],
    ['PATCH', '/v2/ada/app/manifests/latest'],
    ['DELETE', '/v2/ada/app/tags/list'],
  ])('%s %s is 405', async (method, path) => {
    const answer = await registry.ask(method, path, direct());
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      405,
      { errors: [{ code: 'UNSUPPORTED' }] },
    ]);
  });

  test('n is at most 1,000', async () => {
    const { id } = await registry.world.deps.db
      .insertInto('containerRepositories')
      .values({ ownerId: registry.ada.user.id, name: 'ada/many' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { digest } = await pushImage(registry.asAda, 'ada/many', { tag: 'first' });
    await sql`
      insert into container_images (owner_id, repository_id, tag, digest)
      select ${registry.ada.user.id}, ${id}, 'tag-' || n, ${digest} from generate_series(1, 1500) n`.execute(
      registry.world.deps.db,
    );
    for (const query of ['', '?n=1000000000', '?n=99999999999999999999']) {
      const answer = await registry.asAda('GET', `/v2/ada/many/tags/list${query}`);
      expect((answer.json() as { tags: string[] }).tags).toHaveLength(1000);
      expect(answer.headers.get('link')).toContain('n=1000&last=');
    }
  });

  const config = () => descriptorOf(OCI_CONFIG, '{}');
  const image = (rest: object = {}) =>
    JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST, config: config(), layers: [], ...rest });
  test.each<[string, () => string, string, string]>([
    ['no JSON', () => '{', OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['nothing', () => '', OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['null', () => 'null', OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['another version', () => image({ schemaVersion: 1 }), OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['another type than it says', () => image({ mediaType: OCI_INDEX }), OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['an unknown type', () => image(), 'application/json', 'MANIFEST_INVALID'],
    ['a negative size', () => image({ config: { ...config(), size: -1 } }), OCI_MANIFEST, 'MANIFEST_INVALID'],
    ['a wrong size', () => image({ config: { ...config(), size: 9 } }), OCI_MANIFEST, 'MANIFEST_INVALID'],
    [
      'a digest of a path',
      () => image({ config: { ...config(), digest: 'sha256:../x' } }),
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'too many layers',
      () => image({ layers: Array.from({ length: 1001 }, config) }),
      OCI_MANIFEST,
      'MANIFEST_INVALID',
    ],
    [
      'a blob that is not there',
      () => image({ layers: [descriptorOf(OCI_CONFIG, 'absent')] }),
      OCI_MANIFEST,
      'MANIFEST_BLOB_UNKNOWN',
    ],
    [
      'a platform that is not there',
      () => JSON.stringify({ schemaVersion: 2, manifests: [descriptorOf(OCI_MANIFEST, 'absent')] }),
      OCI_INDEX,
      'MANIFEST_BLOB_UNKNOWN',
    ],
  ])('a manifest of %s is refused and leaves nothing', async (_case, content, type, code) => {
    await pushBlob(registry.asAda, 'ada/bad', Buffer.from('{}'));
    const answer = await putManifest(registry.asAda, 'ada/bad', 'bad', content(), type);
    expect([answer.status, answer.json()]).toMatchObject([400, { errors: [{ code }] }]);
    expect((await registry.asAda('GET', '/v2/ada/bad/manifests/bad')).status).toBe(404);
    expect((await registry.ada.rpc.containers.list.query()).map(({ name }) => name)).not.toContain('ada/bad');
  });

  test('a manifest has at most 4 MiB, to the byte', async () => {
    await pushBlob(registry.asAda, 'ada/large', Buffer.from('{}'));
    const room = 4 * 1024 * 1024 - image({ padding: '' }).length;
    const fits = image({ padding: 'x'.repeat(room) });
    expect((await putManifest(registry.asAda, 'ada/large', 'fits', fits)).status).toBe(201);
    const tooLarge = await putManifest(
      registry.asAda,
      'ada/large',
      'no',
      image({ padding: 'x'.repeat(room + 1) }),
    );
    expect([tooLarge.status, tooLarge.json()]).toMatchObject([413, { errors: [{ code: 'SIZE_INVALID' }] }]);
  });

  test('a range that its length contradicts is refused', async () => {
    const begun = await registry.asAda('POST', '/v2/ada/app/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    for (const range of ['0-9', '5-1', 'x', '0-']) {
      const answer = await registry.asAda('PATCH', location, {
        body: 'abc',
        headers: { 'content-range': range },
      });
      expect([range, answer.status]).toEqual([range, 400]);
    }
    const last = withQuery(location, { digest: digestOf('') });
    const without = await registry.asAda('PUT', last, { headers: { 'content-range': '0-9' } });
    expect([without.status, without.json()]).toMatchObject([400, { errors: [{ code: 'SIZE_INVALID' }] }]);
    expect((await registry.asAda('GET', location)).headers.get('range')).toBe('0-0');
  });
});
