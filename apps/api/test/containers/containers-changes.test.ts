import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import {
  type Call,
  descriptorOf,
  digestOf,
  makeToken,
  OCI_MANIFEST,
  pushImage,
  putManifest,
  registryClient,
} from './registry-client.ts';

const NAME = 'ada/app';

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
afterAll(() => world.close());

interface Watch {
  /** Instants of the events so far. */
  events: string[];
  close(): void;
}

/** A stream of somebody's changes, once it is open. */
async function watch(person: Person, onEvent = async () => {}): Promise<Watch> {
  const events: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stream = person.rpc.containers.changes.subscribe(undefined, {
    onStarted: () => resolve(),
    onData: ({ data }) => {
      events.push(data.at);
      void onEvent();
    },
    onError: reject,
  });
  await promise;
  return { events, close: () => stream.unsubscribe() };
}

async function cardId(tag: string): Promise<string> {
  return (await ada.rpc.containers.list.query()).find((image) => image.tag === tag)?.id ?? '';
}

describe('the changes of the registry', () => {
  let image: Awaited<ReturnType<typeof pushImage>>;
  let stranger: Watch;

  beforeAll(async () => {
    image = await pushImage(call, NAME, { tag: 'v1' });
    await ada.rpc.containers.create.mutate({ name: 'app', tag: 'reserved' });
    stranger = await watch(bob);
    // What was missed until the database listened is told once, to whoever was first.
    await vi.waitUntil(() => stranger.events.length === 1);
  });
  afterAll(() => stranger.close());

  const signature = () =>
    JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: image.config,
      layers: [],
      subject: descriptorOf(OCI_MANIFEST, image.content),
    });

  test.each<[string, () => Promise<unknown>]>([
    ['a push of a new tag', () => pushImage(call, NAME, { tag: 'v2' })],
    ['a push of the same tag', () => putManifest(call, NAME, 'v1', image.content)],
    ['a push of a referrer', () => putManifest(call, NAME, digestOf(signature()), signature())],
    ['a pull', () => call('GET', `/v2/${NAME}/manifests/v1`)],
    ['a reservation', () => ada.rpc.containers.create.mutate({ name: 'other' })],
    ['publication', async () => ada.rpc.containers.update.mutate({ id: await cardId('v1'), isPublic: true })],
    ['a tag deleted by a client', () => call('DELETE', `/v2/${NAME}/manifests/v2`)],
    ['a manifest deleted by a client', () => call('DELETE', `/v2/${NAME}/manifests/${image.digest}`)],
    ['a tag deleted here', async () => ada.rpc.containers.remove.mutate({ id: await cardId('reserved') })],
  ])('%s is told to its owner, who sees it then, and to nobody else', async (_case, change) => {
    const hers = await watch(ada);
    await change();
    await expect.poll(() => hers.events.length).toBeGreaterThan(0);
    hers.close();
    expect(stranger.events).toHaveLength(1);
  });

  test('a refused push is no change', async () => {
    const hers = await watch(ada);
    expect((await putManifest(call, NAME, 'bad', image.content.replace('"size":', '"size":1'))).status).toBe(
      400,
    );
    await ada.rpc.containers.create.mutate({ name: 'after' });
    await expect.poll(() => hers.events.length).toBeGreaterThan(0);
    expect(hers.events).toHaveLength(1);
    hers.close();
  });

  test('a stranger is told of his own', async () => {
    await bob.rpc.containers.create.mutate({ name: 'app' });
    await expect.poll(() => stranger.events).toHaveLength(2);
  });

  test('many at once are told once a second, and who looks at each event sees the last of them', async () => {
    const seen: number[] = [];
    const hers = await watch(ada, async () => {
      const images = await ada.rpc.containers.list.query();
      seen.push(images.filter(({ name }) => name === 'ada/crowd').length);
    });
    await Promise.all(Array.from({ length: 10 }, (_, n) => pushImage(call, 'ada/crowd', { tag: `v${n}` })));
    await expect.poll(() => seen.at(-1)).toBe(10);
    hers.close();
    expect(hers.events.length).toBeLessThan(10);
    const gaps = hers.events.slice(1).map((at, n) => Date.parse(at) - Date.parse(hers.events[n] ?? ''));
    expect(Math.min(...gaps)).toBeGreaterThan(950);
  });

  test('a reader that returns with the id of its last event is taken on', async () => {
    const answer = await fetch(new URL('/trpc/containers.changes', world.url), {
      headers: { cookie: ada.cookie, 'last-event-id': new Date().toISOString() },
    });
    const reader = answer.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect([answer.status, first]).toEqual([200, expect.stringContaining('event: connected')]);
  });
});

test('someone signed out is told nothing', async () => {
  const refused = Promise.withResolvers<unknown>();
  const stream = world.anyone.rpc.containers.changes.subscribe(undefined, { onError: refused.resolve });
  expect(await refused.promise).toMatchObject({ data: { httpStatus: 401 } });
  stream.unsubscribe();
});
