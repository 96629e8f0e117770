import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { forgetHost, getKey, renewKey } from './service.ts';

/** Keys by which projects read their repositories over SSH. */
export function createDeployKeys({ secrets }: Pick<Platform, 'secrets'>): Domain<typeof contract.deployKeys> {
  return {
    handlers: {
      get: ({ ctx, input }) => getKey(ctx, input.id),
      renew: ({ ctx, input }) => renewKey(ctx, secrets, input.id),
      forgetHost: ({ ctx, input }) => forgetHost(ctx, input.id),
    },
  };
}
