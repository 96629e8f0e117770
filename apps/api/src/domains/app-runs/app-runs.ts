import type { contract } from '@nephos/contracts';
import type { Identify } from '../../http/caller.ts';
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
import { readTerminal } from './terminal-access.ts';
import { createTerminals, type Terminals, type TerminalTimes } from './terminals.ts';

/** What the domain was made with. */
export interface AppRunsParts extends Pick<Platform, 'settings' | 'notifications' | 'secrets'> {
  commands: AppCommands;
}

interface AppRunsOptions {
  commands: AppCommands;
  identify: Identify;
  /** The time by which jobs are due; absent, the database's. */
  clock?: (() => Promise<Date>) | undefined;
  terminalTimes?: Partial<TerminalTimes> | undefined;
}

/** What works as long as the process lives. */
interface Workings {
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  terminals: Terminals;
}

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'secrets' | 'log'>;

/** Cron jobs of projects, and commands that people run in their apps' environment. */
export function createAppRuns(
  platform: Platformed,
  { commands, identify, clock = () => databaseNow(platform.db), terminalTimes }: AppRunsOptions,
): Domain<typeof contract.appRuns> & AppRunsParts & Workings {
  const { settings, db, notifications, secrets } = platform;
  const parts: AppRunsParts = { settings, notifications, secrets, commands };
  const scheduler = createScheduler({ ...platform, clock });
  const sole = settings.databaseUrl === undefined;
  const onFailed = (run: Run, end: RunEnd) => tellFailure(platform, run, end);
  const dispatcher = createDispatcher({ ...platform, commands, sole, onFailed });
  const terminals = createTerminals({ ...platform, commands, identify, times: terminalTimes });
  return {
    ...parts,
    scheduler,
    dispatcher,
    terminals,
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
      terminal: ({ ctx, input }) => readTerminal(ctx, parts, input.id),
      log: ({ ctx, input, lastEventId }) => followRunLog(ctx, notifications, { ...input, lastEventId }),
      changes: ({ ctx, input, lastEventId }) => followRuns(ctx, notifications, { ...input, lastEventId }),
    },
    sweeps: { appRuns: () => sweepRuns(db) },
    async resume() {
      await dispatcher.start();
      scheduler.start();
    },
    async stop() {
      terminals.close();
      await scheduler.stop();
      await dispatcher.stop();
    },
  };
}
