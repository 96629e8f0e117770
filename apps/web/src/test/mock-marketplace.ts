import { type Installation, marketplace } from '@nephos/contracts';
import { found, implement, silence, success } from './mock-implement.ts';
import { idOf, mockInstallation } from './mock-world.ts';

export const marketplaceMock = implement(marketplace, {
  list: ({ ctx }) => ctx.world.items,
  installations: ({ ctx, input }) =>
    ctx.world.installations.filter(({ status }) => input?.attempts || status === 'installed'),
  install: ({ ctx: { world }, input }) => {
    const item = found(world.items, input.id);
    const installation = mockInstallation({
      id: crypto.randomUUID(),
      itemId: item.id,
      status: 'installing',
      step: 0,
      steps: item.creates.length,
      doing: `Creating ${item.creates[0]?.label}`,
    });
    const others = world.installations.filter(({ itemId }) => itemId !== item.id);
    world.installations = [installation, ...others];
    return installation;
  },
  upgrade: ({ ctx: { world }, input }) => {
    const { id = '' } = world.installations.find(({ itemId }) => itemId === input.id) ?? {};
    const { upgrade, ...installation } = found(world.installations, id);
    const begun: Installation = {
      ...installation,
      upgrade: upgrade && { ...upgrade, deploymentId: idOf(90), status: 'queued', error: null },
    };
    world.installations = world.installations.map((row) => (row.id === begun.id ? begun : row));
    return begun;
  },
  uninstall: ({ ctx: { world }, input }) => {
    world.installations = world.installations.filter(({ itemId }) => itemId !== input.id);
    return success;
  },
  changes: silence,
});
