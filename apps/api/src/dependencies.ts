import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Deps } from './context.ts';
import { runningEngines } from './domains/admin/engines.ts';
import { type AssistantTimes, createAssistant } from './domains/assistant/assistant.ts';
import { createResponder } from './domains/assistant/create-responder.ts';
import { openToolbox } from './domains/assistant/tools-box.ts';
import { createSessions } from './domains/auth/sessions.ts';
import { createBilling } from './domains/billing/billing.ts';
import { createMetering } from './domains/billing/metering-pulse.ts';
import { sweepEvents } from './domains/billing/payment-event.ts';
import type { PaymentProvider } from './domains/billing/provider.ts';
import { sweepBlobs, sweepLinks } from './domains/containers/registry/blob-sweep.ts';
import { sweepUploads } from './domains/containers/registry/upload-store.ts';
import {
  createDatabaseEngines,
  startDatabaseEngines,
  stopDatabaseEngines,
} from './domains/databases/engines/create-engines.ts';
import { createDatabaseWork } from './domains/databases/work.ts';
import { createEngine } from './domains/deployments/engine/create-engine.ts';
import { createLiveDeployments } from './domains/deployments/live.ts';
import { createDeploymentQueue } from './domains/deployments/queue.ts';
import { createNameServer } from './domains/dns/server/create-name-server.ts';
import { boundLookUps, createTxtLookup, type LookUpTxt } from './domains/dns/txt-lookup.ts';
import { sweepPastSerials } from './domains/dns/zones.ts';
import { createInstallationQueue } from './domains/marketplace/queue.ts';
import { createGateway } from './domains/payment-gateway/gateway.ts';
import type { Rail } from './domains/payment-gateway/rail.ts';
import { createSandboxRail } from './domains/payment-gateway/sandbox-rail.ts';
import { createFileDeletion, sweepOrphans } from './domains/storage/file-deletion.ts';
import type { Settings } from './env.ts';
import { sweepIdempotencyKeys } from './http/idempotency.ts';
import { PATIENCE } from './http/patience.ts';
import { sweepRateLimits } from './http/rate-limit.ts';
import { createStreams } from './http/streams.ts';
import { createJobs } from './platform/jobs.ts';
import { createNotifications } from './platform/notifications.ts';
import { openDiskStore } from './platform/object-store/disk-store.ts';
import type { OwnDatabase } from './platform/own-database.ts';
import { createReadiness } from './platform/readiness.ts';
import { createSecretsBox, loadSecretsKey } from './platform/secrets-box.ts';
import { runSweeps, type Sweeps } from './platform/sweeps.ts';
import { appRouter } from './router.ts';

const HOURLY = '0 * * * *';
/** Milliseconds that background jobs get to end by themselves. */
const JOBS_GRACE = 4000;

/** Parts that a test puts in the place of the real ones. */
export type Overrides = Partial<
  Pick<Deps, 'engine' | 'databaseEngines' | 'patiences'> & {
    lookUpTxt: LookUpTxt;
    rail: Rail;
    payments: PaymentProvider;
    assistantTimes: Partial<AssistantTimes>;
    /** Milliseconds between two pieces of an answer by rules. */
    answerPace: number;
  }
>;

export interface RunningDeps extends Deps {
  /** Brings the apps back and begins to work through the queues. */
  begin(): Promise<void>;
  /** Ends what `begin` began: builds are interrupted, apps stopped. */
  end(): Promise<void>;
  /** Lets go of what the constructors took, the database excepted. */
  close(): Promise<void>;
}

/** Makes everything that lives as long as the process; only `begin` sets it going. */
export async function createDependencies(
  settings: Settings,
  log: Logger,
  { db, url }: Pick<OwnDatabase, 'db' | 'url'>,
  overrides: Overrides = {},
): Promise<RunningDeps> {
  const secrets = createSecretsBox(await loadSecretsKey(settings));
  const objects = await openDiskStore(join(settings.dataDir, 'objects'));
  const notifications = createNotifications(url, log);
  const readiness = createReadiness(notifications);
  const jobs = createJobs({ url, notifications, log, sole: settings.databaseUrl === undefined });
  const sessions = createSessions({ db, secure: settings.publicUrl.protocol === 'https:' });
  const live = createLiveDeployments({ db, secrets, log });
  const engine = overrides.engine ?? createEngine({ settings, log, live });
  const deployments = createDeploymentQueue({ db, jobs, notifications, secrets, engine, log });
  const databaseEngines = overrides.databaseEngines ?? createDatabaseEngines({ settings, log });
  const databases = createDatabaseWork({ db, jobs, secrets, engines: databaseEngines, log });
  const fileDeletion = createFileDeletion(jobs, objects);
  const gateway = createGateway({ db, jobs, rail: overrides.rail ?? createSandboxRail() });
  const metering = createMetering({ db, jobs, engine, log });
  const billing = await createBilling({ settings, db, jobs, secrets, log, provider: overrides.payments });
  const nameServer = createNameServer({ settings, db, notifications, log });

  const sweeps: Sweeps = {
    sessions: () => sessions.sweep(),
    idempotencyKeys: () => sweepIdempotencyKeys(db),
    rateLimits: () => sweepRateLimits(db),
    objects: () => objects.sweep(),
    fileOrphans: () => sweepOrphans(db, objects),
    registryUploads: () => sweepUploads(db),
    registryLinks: () => sweepLinks(db),
    registryBlobs: () => sweepBlobs({ db, objects }),
    dnsSerials: () => sweepPastSerials(db),
    databases: () => databases.sweep(),
    installations: () => installations.sweep(),
    settlement: () => gateway.settlement.sweep(),
    paymentEvents: () => sweepEvents(db),
    assistant: () => assistant.sweep(),
  };
  jobs.schedule('sweep', HOURLY, () => runSweeps(sweeps, log));

  async function openDatabases(): Promise<void> {
    try {
      await startDatabaseEngines(databaseEngines);
      await databases.sweep();
    } catch (error) {
      log.error({ err: error }, 'could not look after what a stop left of the databases');
    }
  }

  const parts = {
    settings,
    log,
    db,
    notifications,
    readiness,
    jobs,
    secrets,
    objects,
    sessions,
    streams: createStreams(),
    patiences: overrides.patiences ?? PATIENCE,
    engine,
    deployments,
    fileDeletion,
    nameServer,
    lookUpTxt: boundLookUps(overrides.lookUpTxt ?? createTxtLookup()),
    databaseEngines,
    databases,
    gateway,
    billing,
  };
  const assistant = createAssistant({
    db,
    notifications,
    log,
    responder: await createResponder(settings, log, overrides.answerPace),
    openTools: (asking) => openToolbox({ deps, router: appRouter, ...asking }),
    times: overrides.assistantTimes,
  });
  const installations = createInstallationQueue({ ...parts, assistant });
  const deps: Deps = { ...parts, assistant, installations };

  return {
    ...deps,
    async begin() {
      assistant.start();
      // Beside the rest, since it waits for its own thread and for the zones.
      const serving = nameServer.start();
      await engine.start();
      await jobs.start();
      await metering.start();
      await deployments.start();
      await installations.sweep();
      await gateway.settlement.sweep();
      await serving;
      readiness.begun();
      log.info({ engines: runningEngines(deps) }, 'what this server runs on');
      // Nobody who waits for the console waits for these.
      setImmediate(() => void openDatabases());
      setImmediate(() => void metering.meter());
      setImmediate(() => void billing.catchUp());
    },
    async end() {
      readiness.ending();
      installations.stop();
      const jobsEnded = jobs.stop(JOBS_GRACE);
      await Promise.all([
        assistant.stop(),
        deployments.stop(),
        engine.stop().then(() => metering.stop()),
        nameServer.stop(),
        jobsEnded.then(() => stopDatabaseEngines(databaseEngines)),
      ]);
    },
    close: () => {
      metering.close();
      return notifications.close();
    },
  };
}
