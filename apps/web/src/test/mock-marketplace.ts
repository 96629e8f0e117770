import { marketplace } from '@nephos/contracts';
import { found, implement, silence, success } from './mock-implement.ts';
import { mockInstallation } from './mock-world.ts';

export const marketplaceMock = implement(marketplace, {
  list: ({ ctx }) => ctx.world.items,
  installations: ({ ctx }) => ctx.world.installations,
  install: ({ ctx: { world }, input }) => {
    const { id: itemId } = found(world.items, input.id);
    const installation = mockInstallation({ id: crypto.randomUUID(), itemId });
    world.installations = [installation, ...world.installations];
    return installation;
  },
  uninstall: ({ ctx: { world }, input }) => {
    world.installations = world.installations.filter(({ itemId }) => itemId !== input.id);
    return success;
  },
  changes: silence,
});
