import { createHmac, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Call,
  descriptorOf,
  digestOf,
  makeToken,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_MANIFEST,
  pushBlob,
  pushImage,
  putManifest,
  type RegistryAnswer,
  registryClient,
  withQuery,
} from './registry-client.ts';
import { createWorld, PASSWORD, type Person, type World } from './world.ts';

let world: World;
let ada: Person;
let bob: Person;
let adaToken: string;
let bobToken: string;
let asAda: Call;
let asBob: Call;
let asAnyone: Call;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  adaToken = (await makeToken(ada)).token;
  bobToken = (await makeToken(bob)).token;
  asAda = registryClient({ url: world.url, username: ada.user.email, password: adaToken });
  asBob = registryClient({ url: world.url, username: bob.user.email, password: bobToken });
  asAnyone = registryClient({ url: world.url });
});
afterAll(() => world.close());

const basic = (account: string, secret: string) =>
  `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`;

async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await fetch(new URL(path, world.url), { method, headers, ...(body && { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Asks the token service and reads what it grants. */
async function grantsOf(scope: string, authorization?: string): Promise<unknown> {
  const answer = await ask('GET', withQuery('/v2/token', { scope }), authorization ? { authorization } : {});
  expect(answer.status).toBe(200);
  const { token } = JSON.parse(answer.text) as { token: string };
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { access: unknown })
    .access;
}

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

async function publish(name: string, isPublic: boolean): Promise<void> {
  const card = (await ada.rpc.containers.list.query()).find((image) => image.name === name);
  await ada.rpc.containers.update.mutate({ id: card?.id ?? '', isPublic });
}

describe('the token service', () => {
  test('challenges with its address, service and scope', async () => {
    const { origin, host } = world.deps.settings.publicUrl;
    const base = `Bearer realm="${origin}/v2/token",service="${host}"`;
    const ping = await ask('GET', '/v2/');
    expect([ping.status, ping.headers.get('www-authenticate')]).toEqual([401, base]);
    expect(ping.headers.get('docker-distribution-api-version')).toBe('registry/2.0');
    expect(JSON.parse(ping.text)).toMatchObject({ errors: [{ code: 'UNAUTHORIZED' }] });
    const pull = await ask('GET', '/v2/ada/app/manifests/latest');
    expect(pull.headers.get('www-authenticate')).toBe(`${base},scope="repository:ada/app:pull"`);
    const push = await ask('POST', '/v2/ada/app/blobs/uploads/');
    expect(push.headers.get('www-authenticate')).toBe(`${base},scope="repository:ada/app:pull,push"`);
  });

  test('grants what is asked for and allowed, and no more', async () => {
    await pushImage(asAda, 'ada/granted');
    const all = 'repository:ada/granted:pull,push,delete repository:bob/x:pull,push registry:catalog:*';
    const own = { type: 'repository', name: 'ada/granted' };
    expect(await grantsOf(all, basic(ada.user.email, adaToken))).toEqual([
      { ...own, actions: ['pull', 'push', 'delete'] },
    ]);
    expect(await grantsOf('repository:ada/granted:*', basic('ada', adaToken))).toEqual([
      { ...own, actions: ['pull', 'push', 'delete'] },
    ]);
    const { token: reader } = await makeToken(ada, 'read');
    expect(await grantsOf(all, basic(ada.user.email, reader))).toEqual([{ ...own, actions: ['pull'] }]);
    expect(await grantsOf(all, basic(bob.user.email, bobToken))).toEqual([
      { type: 'repository', name: 'bob/x', actions: ['pull', 'push'] },
    ]);
    expect(await grantsOf(all)).toEqual([]);
    await publish('ada/granted', true);
    expect(await grantsOf(all)).toEqual([{ ...own, actions: ['pull'] }]);
  });

  test('takes the form of OAuth 2 too', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: ada.user.email,
      password: adaToken,
      service: world.deps.settings.publicUrl.host,
      scope: 'repository:ada/x:pull',
      client_id: 'test',
    });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask('POST', '/v2/token', type, String(form));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ expires_in: 300, access_token: expect.any(String) });
    form.set('password', 'wrong');
    expect((await ask('POST', '/v2/token', type, String(form))).status).toBe(401);
    form.set('grant_type', 'refresh_token');
    expect((await ask('POST', '/v2/token', type, String(form))).status).toBe(400);
  });

  test.each([
    ['the password of the account', () => basic(ada.user.email, PASSWORD), /Make an access token/],
    ["somebody else's name", () => basic(bob.user.email, adaToken), /wrong/],
    ['an unknown token', () => basic(ada.user.email, `nph_${'A'.repeat(43)}`), /wrong/],
    ['another way to log in', () => `Bearer ${adaToken}`, /access token/],
  ])('refuses %s', async (_case, authorization, message) => {
    const answer = await ask('GET', '/v2/token', { authorization: authorization() });
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toEqual({
      errors: [{ code: 'UNAUTHORIZED', message: expect.stringMatching(message) }],
    });
  });

  test('gives no tokens for another service', async () => {
    expect((await ask('GET', '/v2/token?service=other.example.com')).status).toBe(400);
  });

  test('stops who guesses, and not who knows', async () => {
    const limited = await createWorld({ settings: { rateLimits: true } });
    try {
      const eve = await limited.as('Eve');
      const right = basic(eve.user.email, (await makeToken(eve)).token);
      const knock = (authorization: string) =>
        fetch(new URL('/v2/token', limited.url), { headers: { authorization } });
      for (let attempt = 0; attempt < 10; attempt += 1) expect((await knock(right)).status).toBe(200);
      const wrong = basic(eve.user.email, `nph_${'A'.repeat(43)}`);
      const statuses = [];
      for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await knock(wrong)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      const locked = await knock(right);
      expect([locked.status, Number(locked.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(await locked.json()).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
    } finally {
      await limited.close();
    }
  });
});

describe('a token of the registry', () => {
  const key = () => world.deps.secrets.deriveKey('registry tokens');
  const valid = () => ({
    token: null as string | null,
    access: [{ type: 'repository', name: 'ada/secret', actions: ['pull', 'push', 'delete'] }],
    iss: world.deps.settings.publicUrl.origin,
    aud: world.deps.settings.publicUrl.host,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
  });
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = (header: object, claims: object, secret: Uint8Array = key()) => {
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const ping = (token: string) => ask('GET', '/v2/', { authorization: `Bearer ${token}` });
  const header = { alg: 'HS256', typ: 'JWT' };

  test('of our own making is taken', async () => {
    expect((await ping(sign(header, valid()))).status).toBe(200);
  });

  const other = randomBytes(32);
  const jwk = { kty: 'oct', k: other.toString('base64url') };
  test.each<[string, () => string | Promise<string>]>([
    ['alg none', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(valid())}.`],
    ['no signature', () => `${encode(header)}.${encode(valid())}.`],
    ['another key', () => sign(header, valid(), other)],
    ['an empty key', () => sign(header, valid(), new Uint8Array())],
    ['its key in jwk', () => sign({ ...header, jwk }, valid(), other)],
    ['jwk beside our key', () => sign({ ...header, jwk }, valid())],
    ['jku', () => sign({ ...header, jku: 'http://127.0.0.1:1/keys' }, valid())],
    ['x5c', () => sign({ ...header, x5c: ['AAAA'] }, valid())],
    ['kid', () => sign({ ...header, kid: '../../dev/null' }, valid())],
    ['crit', () => sign({ ...header, crit: ['exp'] }, valid())],
    ['RS256 in name', () => sign({ ...header, alg: 'RS256' }, valid())],
    [
      'HS512',
      () => new SignJWT(valid()).setProtectedHeader({ alg: 'HS512', typ: 'JWT' }).sign(new Uint8Array(64)),
    ],
    ['no type', () => sign({ alg: 'HS256' }, valid())],
    ['another service', () => sign(header, { ...valid(), aud: 'other.example.com' })],
    ['another issuer', () => sign(header, { ...valid(), iss: 'https://other.example.com' })],
    ['an end that has passed', () => sign(header, { ...valid(), exp: valid().iat - 1 })],
    ['no end', () => sign(header, { ...valid(), exp: undefined })],
    [
      'an unknown access token',
      () => sign(header, { ...valid(), token: '01890000-0000-7000-8000-000000000000' }),
    ],
    ['other claims', () => sign(header, { ...valid(), access: 'all' })],
    ['no shape at all', () => 'x.y.z'],
  ])('with %s is refused', async (_case, forge) => {
    const answer = await ping(await forge());
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('whose scope was widened is refused, and one narrower than the account stays so', async () => {
    await pushImage(asAda, 'ada/secret');
    const answer = await ask('GET', '/v2/token?scope=repository:ada/other:pull', {
      authorization: basic('ada', adaToken),
    });
    const { token } = JSON.parse(answer.text) as { token: string };
    const [head, body = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const wide = `${head}.${encode({ ...claims, access: valid().access })}.${signature}`;
    const path = '/v2/ada/secret/manifests/latest';
    expect((await ask('GET', path, { authorization: `Bearer ${wide}` })).status).toBe(401);
    const narrow = await ask('GET', path, { authorization: `Bearer ${token}` });
    expect(narrow.status).toBe(401);
    expect(narrow.headers.get('www-authenticate')).toMatch(
      /scope="repository:ada\/secret:pull",error="insufficient_scope"/,
    );
  });

  test('that grants what its bearer may not do, grants nothing', async () => {
    const { id } = await makeToken(bob);
    const token = sign(header, { ...valid(), token: id });
    for (const [method, path] of [
      ['GET', '/v2/ada/secret/manifests/latest'],
      ['DELETE', '/v2/ada/secret/manifests/latest'],
      ['POST', '/v2/ada/secret/blobs/uploads/'],
    ] as const) {
      expect([403, 404]).toContain((await ask(method, path, { authorization: `Bearer ${token}` })).status);
    }
  });

  test('ends with the access token in whose name it was given', async () => {
    const { id, token: secret } = await makeToken(ada);
    const answer = await ask('GET', '/v2/token', { authorization: basic('ada', secret) });
    const { token } = JSON.parse(answer.text) as { token: string };
    expect((await ping(token)).status).toBe(200);
    await ada.rpc.auth.revokeToken.mutate({ id });
    expect((await ping(token)).status).toBe(401);
  });
});

describe("somebody else's private repository", () => {
  let image: Awaited<ReturnType<typeof pushImage>>;
  beforeAll(async () => {
    image = await pushImage(asAda, 'ada/private', { tag: 'v1' });
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
    for (const call of [asBob, asAnyone]) {
      for (const [method, path] of paths) {
        const [there, absent] = [
          await call(method, path('ada/private')),
          await call(method, path('ada/nothing')),
        ];
        expect(told(there, 'ada/private')).toEqual(told(absent, 'ada/nothing'));
        expect([401, 403, 404]).toContain(there.status);
      }
    }
    expect((await asAda('GET', '/v2/ada/private/manifests/v1')).status).toBe(200);
  });

  test('gives nothing away to a mount: it begins an upload like that of an unknown blob', async () => {
    const mount = (digest: string, from?: string) =>
      asBob('POST', withQuery('/v2/bob/app/blobs/uploads/', { mount: digest, ...(from && { from }) }));
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
    expect((await asBob('HEAD', `/v2/bob/app/blobs/${image.layer.digest}`)).status).toBe(404);
  });

  test('mounts for whoever may pull it', async () => {
    const target = withQuery('/v2/bob/mounted/blobs/uploads/', {
      mount: image.layer.digest,
      from: 'ada/private',
    });
    await publish('ada/private', true);
    try {
      // The way Docker asks: one token for both repositories.
      const scopes = ['repository:bob/mounted:pull,push', 'repository:ada/private:pull'];
      const query = new URLSearchParams(scopes.map((scope): [string, string] => ['scope', scope]));
      const answer = await ask('GET', `/v2/token?${query}`, { authorization: basic('bob', bobToken) });
      const { token } = JSON.parse(answer.text) as { token: string };
      expect((await ask('POST', target, { authorization: `Bearer ${token}` })).status).toBe(201);
      expect((await asBob('HEAD', `/v2/bob/mounted/blobs/${image.layer.digest}`)).status).toBe(200);
    } finally {
      await publish('ada/private', false);
    }
  });

  test('cannot be filled, and neither can its uploads be touched', async () => {
    const begun = await asAda('POST', '/v2/ada/private/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    const foreign = location.replace('ada/private', 'bob/app');
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
      const address = method === 'PUT' ? withQuery(foreign, { digest: digestOf('x') }) : foreign;
      const answer = await asBob(method, address);
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect((await asAda('GET', location)).status).toBe(204);
    const elsewhere = location.replace('ada/private', 'ada/elsewhere');
    expect((await asAda('GET', elsewhere)).status).toBe(404);
    expect((await putManifest(asBob, 'ada/private', 'v1', image.content)).status).toBe(403);
    expect((await putManifest(asBob, 'bob/stolen', 'v1', image.content)).status).toBe(400);
  });

  test('no blob of it is read by guessing repositories and digests', async () => {
    const direct = { authorization: `Bearer ${bobToken}` };
    const digests = [image.layer.digest, image.config.digest, image.digest];
    let reads = 0;
    for (let round = 0; round < 250; round += 1) {
      const name = ['ada/private', 'bob/app', `bob/${randomBytes(3).toString('hex')}`, 'ada/secret'][
        round % 4
      ];
      const kind = round % 8 < 4 ? 'blobs' : 'manifests';
      const digest = digests[round % 3];
      if ((await ask('GET', `/v2/${name}/${kind}/${digest}`, direct)).status === 200) reads += 1;
    }
    expect(reads).toBe(0);
  });
});

describe('bad input', () => {
  const direct = () => ({ authorization: `Bearer ${adaToken}` });

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
    ['/v2/_catalog', 404, 'NAME_UNKNOWN'],
    ['/v2/ada/app', 404, 'NAME_UNKNOWN'],
    ['/v2/ada/app/tags/list?n=x', 400, 'UNSUPPORTED'],
    ['/v2/ada/app/tags/list?n=-1', 400, 'UNSUPPORTED'],
    ['/v2/ada/app/tags/list?last=%00', 400, 'UNSUPPORTED'],
  ])('GET %s is %d %s', async (path, status, code) => {
    await pushImage(asAda, 'ada/app');
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
    const answer = await ask(method, path, direct());
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      405,
      { errors: [{ code: 'UNSUPPORTED' }] },
    ]);
  });

  test('n is at most 1,000', async () => {
    const { id } = await world.deps.db
      .insertInto('containerRepositories')
      .values({ ownerId: ada.user.id, name: 'ada/many' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { digest } = await pushImage(asAda, 'ada/many', { tag: 'first' });
    await sql`
      insert into container_images (owner_id, repository_id, tag, digest)
      select ${ada.user.id}, ${id}, 'tag-' || n, ${digest} from generate_series(1, 1500) n`.execute(
      world.deps.db,
    );
    for (const query of ['', '?n=1000000000', '?n=99999999999999999999']) {
      const answer = await asAda('GET', `/v2/ada/many/tags/list${query}`);
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
    await pushBlob(asAda, 'ada/bad', Buffer.from('{}'));
    const answer = await putManifest(asAda, 'ada/bad', 'bad', content(), type);
    expect([answer.status, answer.json()]).toMatchObject([400, { errors: [{ code }] }]);
    expect((await asAda('GET', '/v2/ada/bad/manifests/bad')).status).toBe(404);
    expect((await ada.rpc.containers.list.query()).map(({ name }) => name)).not.toContain('ada/bad');
  });

  test('a manifest has at most 4 MiB, to the byte', async () => {
    await pushBlob(asAda, 'ada/large', Buffer.from('{}'));
    const room = 4 * 1024 * 1024 - image({ padding: '' }).length;
    const fits = image({ padding: 'x'.repeat(room) });
    expect((await putManifest(asAda, 'ada/large', 'fits', fits)).status).toBe(201);
    const tooLarge = await putManifest(asAda, 'ada/large', 'no', image({ padding: 'x'.repeat(room + 1) }));
    expect([tooLarge.status, tooLarge.json()]).toMatchObject([413, { errors: [{ code: 'SIZE_INVALID' }] }]);
  });

  test('a range that its length contradicts is refused', async () => {
    const begun = await asAda('POST', '/v2/ada/app/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    for (const range of ['0-9', '5-1', 'x', '0-']) {
      const answer = await asAda('PATCH', location, { body: 'abc', headers: { 'content-range': range } });
      expect([range, answer.status]).toEqual([range, 400]);
    }
    expect((await asAda('GET', location)).headers.get('range')).toBe('0-0');
  });
});

/** A GET whose path is sent as it stands. */
function rawGet(path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(world.url);
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

describe('many at once', () => {
  test('a hundred pushes of the same layers keep each blob once, and lose none', async () => {
    const layer = randomBytes(100_000);
    const pushes = Array.from({ length: 100 }, (_, index) =>
      pushImage(
        index % 2 === 0 ? asAda : asBob,
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
    const files = await readdir(join(world.deps.settings.dataDir, 'objects'), { recursive: true });
    expect(files.filter((file) => file.endsWith(hex))).toHaveLength(1);
    expect(files.filter((file) => /^(uploads|temporary)\/./.test(file)).length).toBeLessThan(20);
    for (const index of [0, 1, 98, 99]) {
      const owner = index % 2 === 0 ? 'ada' : 'bob';
      const call = index % 2 === 0 ? asAda : asBob;
      expect((await call('GET', `/v2/${owner}/parallel-${index % 10}/manifests/v${index}`)).status).toBe(200);
    }
  });

  test('one upload takes one part at a time', async () => {
    const begun = await asAda('POST', '/v2/ada/app/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    const parts = Array.from({ length: 5 }, () =>
      asAda('PATCH', location, { body: randomBytes(50_000), headers: { 'content-range': '0-49999' } }),
    );
    const statuses = (await Promise.all(parts)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([202, 416, 416, 416, 416]);
  });
});

test('calls are limited per person', async () => {
  const limited = await createWorld({ settings: { rateLimits: true } });
  try {
    const eve = await limited.as('Eve');
    const authorization = `Bearer ${(await makeToken(eve)).token}`;
    const ping = () => fetch(new URL('/v2/', limited.url), { headers: { authorization } });
    for (let round = 0; round < 30; round += 1) await Promise.all(Array.from({ length: 20 }, ping));
    const refused = await ping();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
  } finally {
    await limited.close();
  }
});
