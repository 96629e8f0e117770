import type { contract } from '@nephos/contracts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Domain } from '../domain.ts';
import { followProcesses, listProcesses } from './service.ts';

export interface ProcessesParts {
  engine: Pick<DeploymentEngine, 'processes' | 'watchProcesses'>;
}

/** The processes of running apps. */
export function createProcesses(parts: ProcessesParts): Domain<typeof contract.processes> {
  return {
    handlers: {
      list: ({ ctx, input }) => listProcesses(ctx, parts, input.id),
      changes: ({ ctx, input }) => followProcesses(ctx, parts, input.id),
    },
  };
}
