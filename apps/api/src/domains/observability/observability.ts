import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { followEvents, listEvents, sweepEvents } from './events.ts';
import { followLogs } from './follow-logs.ts';
import { sweepLogs } from './log-blocks.ts';
import { listLogSources, readLogFile, readLogs } from './logs.ts';

type Platformed = Pick<Platform, 'db' | 'notifications'>;

/** What can be seen of running apps: their logs and events. */
export function createObservability({
  db,
  notifications,
}: Platformed): Domain<typeof contract.observability> {
  return {
    handlers: {
      logs: ({ ctx, input }) => readLogs(ctx, input),
      logSources: ({ ctx, input }) => listLogSources(ctx, input.id),
      logFile: ({ ctx, input }) => readLogFile(ctx, input),
      newLogs: ({ ctx, input, lastEventId }) => followLogs(ctx, notifications, { ...input, lastEventId }),
      events: ({ ctx, input }) => listEvents(ctx, input),
      newEvents: ({ ctx, input, lastEventId }) => followEvents(ctx, notifications, { ...input, lastEventId }),
    },
    sweeps: { projectLogs: () => sweepLogs(db), projectEvents: () => sweepEvents(db) },
  };
}
