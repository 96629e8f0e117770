import { storageTrash } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';
import { eachOf } from './mock-storage.ts';
import { type MockWorld, mockFile } from './mock-world.ts';

function takeOut(world: MockWorld, id: string) {
  const { fileName, filePath, fileSize } = found(world.trash, id);
  world.trash = world.trash.filter((file) => file.id !== id);
  return { fileName, filePath, fileSize };
}

export const storageTrashMock = implement(storageTrash, {
  list: ({ ctx }) => ctx.world.trash,
  restore: ({ ctx: { world }, input }) => {
    const file = mockFile({ id: crypto.randomUUID(), ...takeOut(world, input.id) });
    world.files = [file, ...world.files];
    return file;
  },
  remove: ({ ctx: { world }, input }) => {
    takeOut(world, input.id);
    return success;
  },
  restoreMany: ({ ctx: { world }, input: { ids } }) =>
    eachOf(ids, (id) => {
      world.files = [mockFile({ id: crypto.randomUUID(), ...takeOut(world, id) }), ...world.files];
      return true;
    }),
  removeMany: ({ ctx: { world }, input: { ids } }) => eachOf(ids, (id) => takeOut(world, id) !== undefined),
  empty: ({ ctx: { world } }) => {
    world.trash = [];
    return success;
  },
});
