import { deployments } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { followDeployments } from './changes.ts';
import { followLog } from './log.ts';
import { readLogTail } from './log-tail.ts';
import {
  cancelDeployment,
  createDeployment,
  getDeployment,
  listDeployments,
  rollbackDeployment,
  stopDeployment,
} from './service.ts';

export const deploymentsRouter = implement(deployments, {
  list: ({ ctx, input }) => listDeployments(ctx, input),
  create: ({ ctx, input }) => createDeployment(ctx, input.id),
  get: ({ ctx, input }) => getDeployment(ctx, input.id),
  cancel: ({ ctx, input }) => cancelDeployment(ctx, input.id),
  rollback: ({ ctx, input }) => rollbackDeployment(ctx, input.id),
  stop: ({ ctx, input }) => stopDeployment(ctx, input.id),
  logTail: ({ ctx, input }) => readLogTail(ctx, input),
  log: ({ ctx, input, lastEventId, signal }) => followLog(ctx, { id: input.id, lastEventId, signal }),
  changes: ({ ctx, input, lastEventId, signal }) =>
    followDeployments(ctx, { id: input.id, lastEventId, signal }),
});
