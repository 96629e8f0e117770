import { type PushDelivery, type PushHook, pushHooks } from '@nephos/contracts';
import { implement, success } from './mock-implement.ts';

export function mockPushHook(changes: Partial<PushHook> = {}): PushHook {
  return { address: 'http://localhost:3000/api/hooks/1', enabledAt: null, paths: [], ...changes };
}

export function mockDelivery(changes: Partial<PushDelivery> = {}): PushDelivery {
  return {
    id: crypto.randomUUID(),
    createdAt: new Date().toISOString(),
    ...{ sender: 'GitHub', event: 'push', branch: 'main', commit: '0123456789abcdef' },
    ...{ result: 'deployed', reason: '', deploymentId: crypto.randomUUID(), projectId: null },
    ...changes,
  };
}

export const pushHooksMock = implement(pushHooks, {
  get: ({ ctx }) => ctx.world.pushHook,
  update: ({ ctx: { world }, input: { paths } }) => Object.assign(world.pushHook, { paths }),
  remove: ({ ctx: { world } }) => {
    world.pushHook = { ...world.pushHook, enabledAt: null };
    return success;
  },
  secret: () => ({ secret: 'open-sesame' }),
  renewSecret: ({ ctx: { world } }) => {
    world.pushHook = { ...world.pushHook, enabledAt: new Date().toISOString() };
    return { secret: 'open-sesame' };
  },
  deliveries: ({ ctx }) => ctx.world.deliveries,
});
