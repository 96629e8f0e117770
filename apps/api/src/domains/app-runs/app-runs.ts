import type { contract } from '@nephos/contracts';
import { databaseNow } from '../../platform/database-clock.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AppCommands } from '../deployments/engine/app-commands.ts';
import type { Domain } from '../domain.ts';
import { followRuns } from './changes.ts';
import { createJob, listJobs, previewSchedule, removeJob, updateJob } from './cron-jobs.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import type { Run, RunEnd } from './lease.ts';
import { findRun } from './read.ts';
import { followRunLog, readRunText } from './run-log.ts';
import { cancelRun, listRuns, runCommand, runJob } from './runs.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { sweepRuns } from './sweep-runs.ts';
import { tellFailure } from './tell-failure.ts';

/** What the domain was made with. */
export interface AppRunsParts extends Pick<Platform, 'settings' | 'notifications'> {
  commands: AppCommands;
}

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'secrets' | 'log'>;

/** Cron jobs of projects, and commands that people run in their apps' environment. */
export function createAppRuns(
  platform: Platformed,
  {
    commands,
    clock = () => databaseNow(platform.db),
  }: { commands: AppCommands; clock?: (() => Promise<Date>) | undefined },
): Domain<typeof contract.appRuns> & AppRunsParts & { scheduler: Scheduler; dispatcher: Dispatcher } {
  const { settings, db, notifications } = platform;
  const parts: AppRunsParts = { settings, notifications, commands };
  const scheduler = createScheduler({ ...platform, clock });
  const sole = settings.databaseUrl === undefined;
  const onFailed = (run: Run, end: RunEnd) => tellFailure(platform, run, end);
  const dispatcher = createDispatcher({ ...platform, commands, sole, onFailed });
  return {
    ...parts,
    scheduler,
    dispatcher,
    handlers: {
      jobs: ({ ctx, input }) => listJobs(ctx, input.id),
      createJob: ({ ctx, input }) => createJob(ctx, parts, input),
      updateJob: ({ ctx, input }) => updateJob(ctx, parts, input),
      removeJob: ({ ctx, input }) => removeJob(ctx, input.id),
      runJob: ({ ctx, input }) => runJob(ctx, parts, input.id),
      previewSchedule: ({ ctx, input }) => previewSchedule(ctx, input),
      list: ({ ctx, input }) => listRuns(ctx, input),
      runCommand: ({ ctx, input }) => runCommand(ctx, parts, input),
      get: ({ ctx, input }) => findRun(ctx.db, ctx.ownerId, input.id),
      cancel: ({ ctx, input }) => cancelRun(ctx, input.id),
      logText: ({ ctx, input }) => readRunText(ctx, input),
      log: ({ ctx, input, lastEventId }) => followRunLog(ctx, notifications, { ...input, lastEventId }),
      changes: ({ ctx, input, lastEventId }) => followRuns(ctx, notifications, { ...input, lastEventId }),
    },
    sweeps: { appRuns: () => sweepRuns(db) },
    async resume() {
      await dispatcher.start();
      scheduler.start();
    },
    async stop() {
      await scheduler.stop();
      await dispatcher.stop();
    },
  };
}
