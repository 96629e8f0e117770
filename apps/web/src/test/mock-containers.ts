import { containers } from '@nephos/contracts';
import { found, implement, pageOf, silence, success } from './mock-implement.ts';
import { mockImage } from './mock-world.ts';

export const containersMock = implement(containers, {
  list: ({ ctx, input }) => pageOf(ctx.world.images, input),
  create: ({ ctx: { world, user }, input: { name, tag, isPublic = false } }) => {
    const image = mockImage({
      id: crypto.randomUUID(),
      name: `${user?.handle}/${name}`,
      tag,
      isPublic,
      size: 0,
      pullCount: 0,
      digest: null,
      mediaType: null,
      pushedAt: null,
    });
    world.images = [image, ...world.images];
    return image;
  },
  get: ({ ctx: { world }, input }) => {
    const image = found(world.images, input.id);
    const tags = world.images.filter(({ name }) => name === image.name);
    const { platforms, referrers, deletion } = world;
    return { ...image, tags, platforms, referrers, deletion };
  },
  update: ({ ctx: { world }, input: { id, isPublic } }) => {
    const image = found(world.images, id);
    world.images = world.images.map((other) => (other.name === image.name ? { ...other, isPublic } : other));
    return found(world.images, id);
  },
  remove: ({ ctx: { world }, input }) => {
    world.images = world.images.filter((image) => image.id !== input.id);
    return success;
  },
  registry: ({ ctx }) => ctx.world.registry,
  changes: silence,
});
