import { containers } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { followImages } from './changes.ts';
import { describeImage } from './detail.ts';
import { listImages, publishImage, registerImage, registryAddress, removeImage } from './service.ts';

export const containersRouter = implement(containers, {
  list: ({ ctx, input }) => listImages(ctx, input),
  create: ({ ctx, input }) => registerImage(ctx, input),
  get: ({ ctx, input }) => describeImage(ctx, input.id),
  update: ({ ctx, input }) => publishImage(ctx, input),
  remove: ({ ctx, input }) => removeImage(ctx, input.id),
  registry: ({ ctx }) => registryAddress(ctx.settings),
  changes: ({ ctx, signal }) => followImages(ctx, signal),
});
