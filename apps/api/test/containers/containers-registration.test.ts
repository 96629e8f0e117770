import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { imageOf, register } from './container-images.ts';
import {
  type Call,
  digestOf,
  makeToken,
  OCI_MANIFEST,
  pushImage,
  registryClient,
} from './registry-client.ts';

let world: World;
let ada: Person;
let bob: Person;
let call: Call;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  call = registryClient({ url: world.url, username: 'ada', password: (await makeToken(ada)).token });
});
afterEach(() => world.deps.db.deleteFrom('containerRepositories').execute());
afterAll(() => world.close());

describe('registering an image', () => {
  test('reserves its name below the handle, with the defaults', async () => {
    const answer = await ada.rest('POST /api/containers', { body: { name: ' app ' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'ada/app',
      tag: 'latest',
      isPublic: false,
      size: 0,
      pullCount: 0,
      digest: null,
      mediaType: null,
      pushedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await ada.rpc.containers.list.query()).toEqual([answer.body]);
    expect((await ada.rest('GET /api/containers')).body).toEqual([answer.body]);
    expect(await bob.rpc.containers.list.query()).toEqual([]);
  });

  test.each([
    ['app', 'ada/app'],
    ['ada/app', 'ada/app'],
    ['ada', 'ada/ada'],
    ['team/app', 'ada/team/app'],
    ['bob/app', 'ada/bob/app'],
    ['a__b--c.d_e', 'ada/a__b--c.d_e'],
    ['x'.repeat(196), `ada/${'x'.repeat(196)}`],
  ])('%s is called %s', async (name, full) => {
    expect(await register(ada, { name })).toMatchObject({ name: full });
  });

  const refused: (readonly [Record<string, unknown>, string])[] = [
    ...[
      '',
      ' ',
      'App',
      'a b',
      '-a',
      'a-',
      'a..b',
      'a___b',
      '/a',
      'a/',
      'a//b',
      'ä',
      'a:b',
      '../a',
      'x'.repeat(201),
    ].map((name) => [{ name }, 'name'] as const),
    [{ name: 'x'.repeat(197) }, 'name'],
    [{ name: undefined }, 'name'],
    [{ name: 5 }, 'name'],
    ...['', '.a', '-a', 'a b', 'a/b', 'ä', 'x'.repeat(129)].map((tag) => [{ tag }, 'tag'] as const),
    [{ isPublic: 'yes' }, 'isPublic'],
  ];

  test.each(refused)('refuses %j by naming the field, at both doors', async (input, path) => {
    const body = { name: 'app', ...input };
    const fields = expect.arrayContaining([expect.objectContaining({ path })]);
    const rest = await ada.rest('POST /api/containers', { body });
    expect(rest).toMatchObject({ status: 400, body: { code: 'VALIDATION', fields } });
    const rpc = await ada.rest('POST /trpc/containers.create', { body });
    expect(rpc).toMatchObject({ status: 400, body: { error: { data: { reason: 'VALIDATION', fields } } } });
    expect(await ada.rpc.containers.list.query()).toEqual([]);
  });

  test('is refused twice, and taken under another tag as another card', async () => {
    await register(ada);
    const again = await ada.rest('POST /api/containers', { body: { name: 'ada/app' } });
    const message = 'You already have an image ada/app:latest.';
    expect(again).toMatchObject({ status: 409, body: { code: 'EXISTS', message } });
    await expect(register(ada)).rejects.toMatchObject({ data: { httpStatus: 409, reason: 'EXISTS' } });
    await register(ada, { tag: 'x'.repeat(128) });
    expect(await ada.rpc.containers.list.query()).toHaveLength(2);
    await register(bob);
    expect(await bob.rpc.containers.list.query()).toMatchObject([{ name: 'bob/app' }]);
  });

  test('at once by many happens once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ada.rest('POST /api/containers', { body: { name: 'app' } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test('says for the whole repository whether it is public, and nothing where it does not say', async () => {
    await register(ada, { isPublic: true });
    expect(await register(ada, { tag: 'v2' })).toMatchObject({ isPublic: true });
    await register(ada, { tag: 'v3', isPublic: false });
    expect((await ada.rpc.containers.list.query()).map(({ isPublic }) => isPublic)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('takes nothing that the server decides', async () => {
    const forged = { name: 'app', size: 5, pullCount: 9, digest: digestOf('x'), ownerId: bob.user.id };
    const { body } = await ada.rest('POST /api/containers', { body: forged });
    expect(body).toMatchObject({ size: 0, pullCount: 0, digest: null });
  });

  test('does not show the tag to clients before a push fills it', async () => {
    await register(ada);
    expect((await call('GET', '/v2/ada/app/tags/list')).json()).toEqual({ name: 'ada/app', tags: [] });
    expect((await call('GET', '/v2/ada/app/manifests/latest')).status).toBe(404);
    const reserved = await imageOf(ada, 'ada/app');
    const { digest, content } = await pushImage(call, 'ada/app');
    expect(await imageOf(ada, 'ada/app')).toMatchObject({ id: reserved.id, digest, mediaType: OCI_MANIFEST });
    expect(content).toContain(OCI_MANIFEST);
  });
});
