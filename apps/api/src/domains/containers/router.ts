import { containers } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { followImages } from './changes.ts';
import { describeImage } from './detail.ts';
import { listImages, publishImage, registerImage, registryAddress, removeImage } from './service.ts';
import { getRepository, listRepositories, readImageStorage } from './storage.ts';
import { describeUntagged, listUntagged, removeUntagged, removeUntaggedImage } from './untagged-service.ts';

export const containersRouter = implement(containers, {
  list: ({ ctx, input }) => listImages(ctx, input),
  create: ({ ctx, input }) => registerImage(ctx, input),
  get: ({ ctx, input }) => describeImage(ctx, input.id),
  update: ({ ctx, input }) => publishImage(ctx, input),
  remove: ({ ctx, input }) => removeImage(ctx, input.id),
  registry: ({ ctx }) => registryAddress(ctx.settings),
  storage: ({ ctx }) => readImageStorage(ctx),
  repositories: ({ ctx, input }) => listRepositories(ctx, input),
  repository: ({ ctx, input }) => getRepository(ctx, input.id),
  untagged: ({ ctx, input }) => listUntagged(ctx, input),
  removeUntagged: ({ ctx, input }) => removeUntagged(ctx, input.id),
  untaggedImage: ({ ctx, input }) => describeUntagged(ctx, input.id),
  removeUntaggedImage: ({ ctx, input }) => removeUntaggedImage(ctx, input.id),
  changes: ({ ctx, signal }) => followImages(ctx, signal),
});
