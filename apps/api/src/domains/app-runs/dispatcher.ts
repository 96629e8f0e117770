import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Notifications } from '../../platform/notifications.ts';
import type { AppCommands } from '../deployments/engine/app-commands.ts';
import type { DeployedApp } from '../deployments/engine/engine.ts';
import { readDeployed } from '../deployments/live.ts';
import { APP_RUN_CANCEL, APP_RUN_CHANGED } from './channels.ts';
import { type ExecuteParts, executeRun, type GivenUp } from './execute.ts';
import { claimRun, endRun, failLost, type Run, type RunEnd, renewLeases } from './lease.ts';
import { NO_RELEASE, NOT_LIVE, releaseOf } from './release.ts';

/** Runs queued runs whose app's release this server has. */
export interface Dispatcher {
  start(): Promise<void>;
  /** Ends the runs that go on here; they have failed. */
  stop(): Promise<void>;
  /** Looks for queued runs; resolves when all that can begin have begun. */
  pick(): Promise<void>;
}

export interface DispatcherParts extends ExecuteParts {
  notifications: Notifications;
  commands: AppCommands;
  /** No other server works on this database. */
  sole: boolean;
}

/** Runs that this server has going on at once. */
const MOST_AT_ONCE = 16;
/** Milliseconds: between two signs of life, and two looks at what notifications may have missed. */
const BEAT = 5000;
/** Seconds that a run waits for a server that has the release. */
const PATIENCE = 60;

const NOBODY_HAS_IT = "No server has the app's release any more. Deploy again.";

interface UnderWay {
  why: GivenUp | undefined;
  controller: AbortController;
  ended: Promise<void>;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, log, notifications, commands } = parts;
  const underWay = new Map<string, UnderWay>();
  const subscriptions: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let picking: Promise<void> = Promise.resolve();
  let beating: Promise<void> = Promise.resolve();

  function giveUp(id: string, why: GivenUp): void {
    const run = underWay.get(id);
    if (!run) return;
    run.why ??= why;
    run.controller.abort();
  }

  function begin(run: Run, app: DeployedApp): void {
    const controller = new AbortController();
    const state: UnderWay = { why: undefined, controller, ended: Promise.resolve() };
    underWay.set(run.id, state);
    state.ended = executeRun(parts, { run, app }, { signal: controller.signal, why: () => state.why });
    void state.ended.finally(() => {
      underWay.delete(run.id);
      void pick();
    });
  }

  async function pickQueued(): Promise<void> {
    for (const run of await queuedRuns(db)) {
      if (isStopping || underWay.size >= MOST_AT_ONCE) return;
      // What is wrong with one of them holds up none of the others.
      await pickOne(run).catch((error) =>
        log.error({ err: error, run: run.id }, 'a queued run could not be begun'),
      );
    }
  }

  async function pickOne(run: Run & { age: number }): Promise<void> {
    const judged = await judge(parts, run);
    if (judged === 'wait') return;
    if ('error' in judged) return fail(parts, run, judged.error);
    const claimed = await claimRun(db, run.id, commands.instance);
    if (claimed) begin(claimed, judged.app);
  }

  /** One look after the other, so that none begins more than may run at once. */
  function pick(): Promise<void> {
    picking = picking
      .then(() => (isStopping ? undefined : pickQueued()))
      .catch((error) => log.warn({ err: error }, 'could not look for queued runs'));
    return picking;
  }

  async function beat(): Promise<void> {
    try {
      const ids = [...underWay.keys()];
      if (ids.length > 0) {
        const ours = await renewLeases(db, ids, commands.instance);
        const left = new Map(ours.map(({ id, cancelRequested }) => [id, cancelRequested]));
        for (const id of ids) {
          if (!left.has(id)) giveUp(id, 'lost');
          else if (left.get(id)) giveUp(id, 'cancelled');
        }
      }
      for (const run of await failLost(db)) await parts.onFailed(run, lostEnd(run));
    } catch (error) {
      log.warn({ err: error }, 'could not renew the leases of runs');
    }
    await pick();
  }

  function onChange(about: string): void {
    const [, id = '', status] = about.split(' ');
    if (status === 'queued') void pick();
    if (status === 'deleted') giveUp(id, 'lost');
  }

  return {
    async start() {
      for (const run of await failLost(db, commands.instance)) await parts.onFailed(run, lostEnd(run));
      subscriptions.push(
        notifications.subscribe(APP_RUN_CHANGED, onChange, () => void pick()),
        notifications.subscribe(APP_RUN_CANCEL, (id) => giveUp(id, 'cancelled')),
      );
      timer = setInterval(() => {
        beating = beat();
      }, BEAT);
      void pick();
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      for (const end of subscriptions) end();
      await Promise.all([picking, beating]);
      for (const id of underWay.keys()) giveUp(id, 'stopping');
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
    },
    pick,
  };
}

function queuedRuns(db: Kysely<Database>) {
  return db
    .selectFrom('appRuns')
    .selectAll()
    .select(sql<number>`extract(epoch from now() - created_at)::float8`.as('age'))
    .where('status', '=', 'queued')
    .orderBy('id')
    .limit(100)
    .execute();
}

/** Whether a run can begin here, has to wait for another server, or cannot run at all. */
async function judge(
  { db, secrets, commands, sole }: DispatcherParts,
  run: Run & { age: number },
): Promise<'wait' | { app: DeployedApp } | { error: string }> {
  const deploymentId = await releaseOf(db, run);
  const app = deploymentId === undefined ? undefined : await readDeployed({ db, secrets }, deploymentId);
  if (!app) return { error: run.kind === 'cron' ? NOT_LIVE : NO_RELEASE };
  if (await commands.has(app)) return { app };
  return sole || run.age > PATIENCE ? { error: NOBODY_HAS_IT } : 'wait';
}

async function fail(parts: ExecuteParts, run: Run, error: string): Promise<void> {
  const end = { status: 'failed', exitCode: null, error } as const;
  if (await endRun(parts.db, { id: run.id, server: null }, end)) await parts.onFailed(run, end);
}

function lostEnd({ error }: Run): RunEnd {
  return { status: 'failed', exitCode: null, error: error ?? '' };
}
