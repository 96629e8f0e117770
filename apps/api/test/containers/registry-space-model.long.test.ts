import { randomBytes, randomUUID } from 'node:crypto';
import type { UntaggedImage } from '@nephos/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, putManifest } from './registry-client.ts';
import {
  age,
  faultsOf,
  type Made,
  makeImage,
  makeIndex,
  pushMade,
  removeTag,
  removeUntagged,
  storedBlobs,
  sweep,
  usedBytes,
} from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';
import { type Kept, Repository } from './repository-model.ts';

/** Few for everyday; `REGISTRY_RUNS=200` for a long hunt. */
const RUNS = Number(process.env.REGISTRY_RUNS ?? 4);

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

const KINDS = [
  'image',
  'image',
  'index',
  'referrer',
  'retag',
  'remove',
  'remove',
  'drop',
  'clean',
  'ask',
  'age',
  'sweep',
] as const;
const TAGS = ['a', 'b', 'c', 'd'];
/** Blobs that the images of a history share. */
const POOL = 6;

const operation = fc.record({
  kind: fc.constantFrom(...KINDS),
  repository: fc.nat(1),
  /** None pushes by digest. */
  tag: fc.option(fc.constantFrom(...TAGS), { nil: undefined, freq: 2 }),
  blobs: fc.uniqueArray(fc.nat(POOL - 1), { minLength: 1, maxLength: 3 }),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  withSubject: fc.boolean(),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

class History {
  readonly repositories = [1, 2].map(() => new Repository(`ada/${randomUUID()}`));
  readonly #pool = Array.from({ length: POOL }, () => randomBytes(200));

  #pick(repository: Repository, picks: number[]): Kept[] {
    const all = [...repository.manifests.values()];
    const chosen = picks.flatMap((pick) => all[pick % Math.max(all.length, 1)] ?? []);
    return [...new Map(chosen.map((kept) => [kept.digest, kept])).values()];
  }

  /** None of a repository that holds nothing, which is not listed. */
  async #listUntagged(name: string): Promise<UntaggedImage[]> {
    const { repositories, untagged } = registry.ada.rpc.containers;
    const found = (await repositories.query()).find((repository) => repository.name === name);
    return found ? untagged.query({ id: found.id }) : [];
  }

  async run({ kind, repository: n, tag, blobs: chosen, picks, withSubject }: Operation): Promise<void> {
    const repository = this.repositories[n] as Repository;
    const { name } = repository;
    const { asAda, ada, world } = registry;
    const [config, ...layers] = chosen.map((index) => this.#pool[index] as Buffer) as [Buffer, ...Buffer[]];
    const found = this.#pick(repository, picks);
    const subject = withSubject || kind === 'referrer' ? found[0] : undefined;
    const push = async (made: Made, children: string[]) => {
      await pushMade(asAda, name, made, tag);
      repository.keep({ ...made, children, subject: subject?.digest }, tag);
    };
    if (kind === 'image' || kind === 'referrer') await push(makeImage(config, layers, subject), []);
    if (kind === 'index')
      await push(
        makeIndex(found, subject),
        found.map(({ digest }) => digest),
      );
    if (kind === 'retag') {
      const [image] = found;
      if (!image || tag === undefined) return;
      await putManifest(asAda, name, tag, image.content, image.mediaType);
      repository.tags.set(tag, image.digest);
      Object.assign(image, { wasTagged: true, isRecent: true });
    }
    if (kind === 'remove') {
      const named = [...repository.tags.keys()][(picks[0] ?? 0) % Math.max(repository.tags.size, 1)];
      if (named === undefined) return;
      await removeTag(ada, name, named);
      repository.remove(named);
    }
    if (kind === 'drop') {
      const listed = await this.#listUntagged(name);
      expect(listed.map(({ digest }) => digest).toSorted()).toEqual(repository.untagged);
      const image = listed[(picks[0] ?? 0) % Math.max(listed.length, 1)];
      if (!image) return;
      await ada.rpc.containers.removeUntaggedImage.mutate({ id: image.id });
      repository.drop(image.digest);
    }
    if (kind === 'clean' && repository.used > 0) {
      const before = repository.used;
      const { size } = await removeUntagged(ada, name);
      repository.clean();
      expect(size).toBe(before - repository.used);
    }
    if (kind === 'ask') {
      await asAda('HEAD', `/v2/${name}/blobs/${digestOf(config)}`);
      repository.recent.add(digestOf(config));
    }
    if (kind === 'age') {
      await age(world, 25);
      for (const each of this.repositories) {
        each.recent.clear();
        for (const kept of each.manifests.values()) kept.isRecent = false;
      }
    }
    if (kind === 'sweep') {
      await sweep(world);
      for (const each of this.repositories) each.sweep();
    }
  }

  /** What the plan is charged with is what is there, and every name leads to all of its image. */
  async check(): Promise<void> {
    const { asAda } = registry;
    for (const { name, tags, manifests, blobs } of this.repositories) {
      const list = await asAda('GET', `/v2/${name}/tags/list`);
      const listed = list.status === 200 ? (list.json() as { tags: string[] }).tags : [];
      expect(listed).toEqual([...tags.keys()].toSorted());
      for (const named of [...tags.keys(), ...manifests.keys()]) {
        expect(await faultsOf(asAda, name, named)).toEqual([]);
      }
      for (const digest of blobs.keys()) {
        expect((await asAda('HEAD', `/v2/${name}/blobs/${digest}`)).status).toBe(200);
      }
    }
  }

  get used(): number {
    return this.repositories.reduce((sum, { used }) => sum + used, 0);
  }
}

test('whatever is pushed, deleted and swept: every name leads to its image, and no byte more is charged', async () => {
  const { world, ada } = registry;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 15, maxLength: 30 }), async (operations) => {
      await world.deps.db.deleteFrom('containerRepositories').execute();
      const history = new History();
      for (const each of operations) {
        await history.run(each);
        expect([each.kind, await usedBytes(world, ada)]).toEqual([each.kind, history.used]);
      }
      await history.check();
      const empty = { repository: 0, tag: undefined, blobs: [0], picks: [0], withSubject: false };
      await history.run({ ...empty, kind: 'age' });
      await history.run({ ...empty, kind: 'sweep' });
      expect(await usedBytes(world, ada)).toBe(history.used);
      const left = history.repositories.flatMap(({ blobs }) => [...blobs.keys()]);
      expect(await storedBlobs(world)).toEqual([...new Set(left)].toSorted());
      await history.check();
    }),
    // A failure of every day tells its seed at once; a hunt also makes it small.
    { numRuns: RUNS, endOnFailure: RUNS < 20 },
  );
}, 1_800_000);
