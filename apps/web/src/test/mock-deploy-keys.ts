import { type DeployKey, deployKeys } from '@nephos/contracts';
import { implement, success } from './mock-implement.ts';

export function mockDeployKey(changes: Partial<DeployKey> = {}): DeployKey {
  return { publicKey: null, createdAt: null, host: '', hostKeys: [], ...changes };
}

export const deployKeysMock = implement(deployKeys, {
  get: ({ ctx }) => ctx.world.deployKey,
  renew: ({ ctx: { world } }) => Object.assign(world.deployKey, { publicKey: 'ssh-ed25519 BBBB nephos-app' }),
  forgetHost: ({ ctx: { world } }) => {
    world.deployKey = { ...world.deployKey, host: '', hostKeys: [] };
    return success;
  },
});
