import { containers } from '@nephos/contracts';
import { found, implement, pageOf, silence, success, unanswered } from './mock-implement.ts';
import { idOf, type MockWorld, mockRepository } from './mock-world.ts';

const NOTHING = { manifests: 0, blobs: 0, size: 0 };
const EMPTY = mockRepository({
  id: idOf(850),
  size: 0,
  untagged: { images: 0, recent: 0, needed: 0, deletion: NOTHING },
});

function repositoryOf({ repositories }: MockWorld, name: string) {
  return repositories.find((repository) => repository.name === name) ?? { ...EMPTY, name };
}

/** Takes untagged images away, and out of the figures of their repository. */
function withoutUntagged(world: MockWorld, repositoryId: string, left: MockWorld['untagged']) {
  world.untagged = left;
  world.repositories = world.repositories.map((repository) =>
    repository.id === repositoryId
      ? {
          ...repository,
          untagged: { images: left.length, recent: left.length, needed: 0, deletion: NOTHING },
        }
      : repository,
  );
}

export const containersMock = implement(containers, {
  list: ({ ctx, input }) => pageOf(ctx.world.images, input),
  create: unanswered,
  get: ({ ctx: { world }, input }) => {
    const image = found(world.images, input.id);
    const { platforms, referrers, deletion, keptBecause } = world;
    const tags = world.images
      .filter(({ name }) => name === image.name)
      .map((tag) => ({ ...tag, keptBecause }));
    const { id: repositoryId } = repositoryOf(world, image.name);
    return { ...image, repositoryId, tags, platforms, referrers, deletion, keptBecause };
  },
  update: unanswered,
  remove: unanswered,
  registry: ({ ctx }) => ctx.world.registry,
  storage: ({ ctx: { world } }) => ({
    size: world.repositories.reduce((sum, { size }) => sum + size, 0),
    untagged: world.repositories[0]?.untagged ?? EMPTY.untagged,
  }),
  repositories: ({ ctx, input }) => pageOf(ctx.world.repositories, input),
  repository: ({ ctx, input }) => found([...ctx.world.repositories, EMPTY], input.id),
  untagged: ({ ctx, input }) => pageOf(ctx.world.untagged, input),
  removeUntagged: ({ ctx: { world }, input: { id } }) => {
    const { deletion } = found(world.repositories, id).untagged;
    withoutUntagged(
      world,
      id,
      world.untagged.filter(({ isRecent }) => isRecent),
    );
    return deletion;
  },
  untaggedImage: ({ ctx: { world }, input }) => {
    const image = found(world.untagged, input.id);
    return { ...image, deletion: { manifests: 1, blobs: 2, size: image.size } };
  },
  removeUntaggedImage: ({ ctx: { world }, input }) => {
    const { id, size } = found(world.untagged, input.id);
    const left = world.untagged.filter((image) => image.id !== id);
    withoutUntagged(world, world.repositories[0]?.id ?? '', left);
    return { manifests: 1, blobs: 2, size };
  },
  retention: ({ ctx: { world } }) => ({ rule: world.retentionRule, nextRunAt: null, lastRun: null }),
  previewRetention: ({ ctx: { world }, input: { keepLast } }) => ({
    tags: world.images.map(({ id, tag, digest, pushedAt }, position) => ({
      ...{ id, tag, digest: digest ?? '', pushedAt: pushedAt ?? '' },
      keptBecause: position < keepLast ? `Kept as one of the newest ${keepLast}.` : '',
    })),
    deletion: world.deletion,
  }),
  setRetention: ({ ctx: { world }, input: { id: _, ...rule } }) => {
    world.retentionRule = rule;
    return { rule: world.retentionRule, nextRunAt: null, lastRun: null };
  },
  removeRetention: ({ ctx: { world } }) => {
    world.retentionRule = null;
    return success;
  },
  changes: silence,
});
