import { storageVersions } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';
import { mockFile } from './mock-world.ts';

export const storageVersionsMock = implement(storageVersions, {
  list: ({ ctx }) => ctx.world.versions,
  restore: ({ ctx: { world }, input }) => {
    const { fileSize } = found(world.versions, input.id);
    world.versions = world.versions.filter(({ id }) => id !== input.id);
    const file = mockFile({ ...world.files[0], fileSize });
    world.files = [file, ...world.files.slice(1)];
    return file;
  },
  remove: ({ ctx: { world }, input }) => {
    found(world.versions, input.id);
    world.versions = world.versions.filter(({ id }) => id !== input.id);
    return success;
  },
});
