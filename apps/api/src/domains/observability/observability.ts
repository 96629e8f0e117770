import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import type { AppFigures } from './app-figures.ts';
import { followEvents, listEvents, sweepEvents } from './events.ts';
import { followLogs } from './follow-logs.ts';
import { sweepLogs } from './log-blocks.ts';
import { listLogSources, readLogFile, readLogs } from './logs.ts';
import { followMetrics, readActivity, readMetrics } from './metrics.ts';
import { sumHours, sweepMetrics } from './metrics-store.ts';
import { createMinutes } from './minutes.ts';

type Parts = Pick<Platform, 'db' | 'notifications' | 'log'> & {
  figures: AppFigures;
  /** Resolves when no app of this process answers any more. */
  appsEnded: Promise<void>;
};

/** What can be seen of running apps: their logs, figures and events. */
export function createObservability({
  db,
  notifications,
  log,
  figures,
  appsEnded,
}: Parts): Domain<typeof contract.observability> {
  const minutes = createMinutes({ db, log, figures });
  return {
    handlers: {
      logs: ({ ctx, input }) => readLogs(ctx, input),
      logSources: ({ ctx, input }) => listLogSources(ctx, input.id),
      logFile: ({ ctx, input }) => readLogFile(ctx, input),
      newLogs: ({ ctx, input, lastEventId }) => followLogs(ctx, notifications, { ...input, lastEventId }),
      metrics: ({ ctx, input }) => readMetrics(ctx, input),
      activity: ({ ctx }) => readActivity(ctx),
      newMetrics: ({ ctx, input }) => followMetrics(ctx, notifications, input.id),
      events: ({ ctx, input }) => listEvents(ctx, input),
      newEvents: ({ ctx, input, lastEventId }) => followEvents(ctx, notifications, { ...input, lastEventId }),
    },
    sweeps: {
      projectLogs: () => sweepLogs(db),
      projectMetrics: () => sumHours(db).then(() => sweepMetrics(db)),
      projectEvents: () => sweepEvents(db),
    },
    start: minutes.start,
    async stop() {
      await appsEnded;
      await minutes.stop();
    },
  };
}
