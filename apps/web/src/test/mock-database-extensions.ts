import { databaseExtensions } from '@nephos/contracts';
import { implement, success } from './mock-implement.ts';

export const databaseExtensionsMock = implement(databaseExtensions, {
  list: ({ ctx }) => ctx.world.databaseExtensions,
  add: ({ ctx: { world }, input: { name } }) => {
    world.databaseExtensions = world.databaseExtensions.map((extension) =>
      extension.name === name ? { ...extension, isOn: true, schema: 'public' } : extension,
    );
    return success;
  },
  remove: ({ ctx: { world }, input: { name } }) => {
    world.databaseExtensions = world.databaseExtensions.map((extension) =>
      extension.name === name ? { ...extension, isOn: false, schema: '' } : extension,
    );
    return success;
  },
});
