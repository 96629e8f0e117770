import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let bea: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  [ada, bea] = [await world.as('Ada'), await world.as('Bea')];
});

afterAll(() => world.close());

const MOST = 32;

interface Stream {
  /** What a refused stream was told; undefined where it began. */
  refusal: unknown;
  close(): void;
}

/** Follows a project until it is known whether that was refused: a deployment comes first, or an error. */
async function follow(person: Person, id: string): Promise<Stream> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const stream = person.rpc.deployments.changes.subscribe(
    { id },
    { onData: () => resolve(undefined), onError: resolve },
  );
  return { refusal: await promise, close: () => stream.unsubscribe() };
}

/** A project whose stream begins with a deployment. */
async function projectOf(person: Person): Promise<string> {
  const repositoryUrl = 'file:///nowhere/app.git';
  const { id } = await person.rpc.projects.create.mutate({ name: 'Followed', repositoryUrl });
  return id;
}

test('one person has 32 streams at most, and a closed one makes room', async () => {
  const [hers, theirs] = [await projectOf(ada), await projectOf(bea)];
  const streams = await Promise.all(Array.from({ length: MOST }, () => follow(ada, hers)));
  expect(streams.map(({ refusal }) => refusal)).toEqual(Array(MOST).fill(undefined));

  const tooMany = await follow(ada, hers);
  expect(tooMany.refusal).toMatchObject({ data: { httpStatus: 429, reason: 'RATE_LIMITED' } });
  const another = await follow(bea, theirs);
  expect(another.refusal).toBeUndefined();

  streams.pop()?.close();
  await expect
    .poll(async () => {
      const next = await follow(ada, hers);
      streams.push(next);
      return next.refusal;
    })
    .toBeUndefined();
  for (const { close } of [...streams, tooMany, another]) close();
});
