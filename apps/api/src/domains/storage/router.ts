import { storage } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { createFile } from './create.ts';
import { listFiles, removeFile, updateFile } from './service.ts';

export const storageRouter = implement(storage, {
  list: ({ ctx, input }) => listFiles(ctx, input),
  create: ({ ctx, input }) => createFile(ctx, input),
  update: ({ ctx, input }) => updateFile(ctx, input),
  remove: ({ ctx, input }) => removeFile(ctx, input.id),
});
