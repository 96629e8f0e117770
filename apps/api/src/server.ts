import { type AppRouter, contract } from '@nephos/contracts';
import type { Table } from '@nephos/contracts/kit';
import { type AnyRouter, callTRPCProcedure } from '@trpc/server';
import type { Logger } from 'pino';
import type { Settings } from './core/settings.ts';
import { adoptPublicUrl } from './domains/admin/public-address.ts';
import type { CallProcedure } from './domains/assistant/tools-box.ts';
import { ACCESS_ENDED } from './domains/auth/end-access.ts';
import type { Domain } from './domains/domain.ts';
import { createDomains, type Domains, type Overrides } from './domains.ts';
import { PATIENCE, type Patiences } from './http/patience.ts';
import { createProcedures } from './http/procedures.ts';
import { createStreams, type Streams } from './http/streams.ts';
import type { EngineCheck } from './platform/engine-check.ts';
import { sweepIdempotencyKeys } from './platform/idempotency.ts';
import type { OwnDatabase } from './platform/own-database.ts';
import { createPlatform, type Platform } from './platform/platform.ts';
import { sweepRateLimits } from './platform/rate-limit.ts';
import { createReadiness, type Readiness } from './platform/readiness.ts';
import { runSweeps, type Sweeps } from './platform/sweeps.ts';
import { systemChecks } from './platform/system-checks.ts';

type Procedures = ReturnType<typeof createProcedures>;

const HOURLY = '0 * * * *';
/** Milliseconds that background jobs get to end by themselves. */
const JOBS_GRACE = 4000;

/** Everything that lives as long as the process. */
export interface Server extends Platform, Domains {
  streams: Streams;
  patiences: Patiences;
  readiness: Readiness;
  /** Every procedure of the contract, implemented. */
  router: AppRouter;
  /** Its rows of bytes, implemented. */
  bytes: AnyRouter;
  call: CallProcedure;
  /** Brings the apps back and begins to work through the queues. */
  begin(): Promise<void>;
  /** Ends what `begin` began: builds are interrupted, apps stopped. */
  end(): Promise<void>;
  /** Lets go of the connection for notifications. */
  close(): Promise<void>;
}

/** Makes everything that lives as long as the process; only `begin` sets it going. */
export async function createServer(
  settings: Settings,
  log: Logger,
  database: Pick<OwnDatabase, 'db' | 'url'>,
  overrides: Overrides & { patiences?: Patiences } = {},
): Promise<Server> {
  await adoptPublicUrl(settings, { db: database.db, log });
  const platform = await createPlatform(settings, log, database, overrides);
  const { db, jobs, notifications, objects } = platform;
  const streams = createStreams();
  const readiness = createReadiness(notifications);

  const call: CallProcedure = ({ path, caller, input, signal }) =>
    callTRPCProcedure({
      ...{ router, path, type: 'query', ctx: caller, signal, batchIndex: 0 },
      getRawInput: async () => input,
    });
  // Made anew for each look: what a part says of itself may have changed.
  const engines = (): EngineCheck[] => [
    ...systemChecks(platform),
    ...made.parts.flatMap((part) => part.engines?.() ?? []),
  ];
  const made = await createDomains(platform, overrides, { engines, call, streams });
  const { parts } = made;
  const procedures = createProcedures({ ...platform, streams });
  const { router, bytes } = routersOf(made.domains, procedures);
  const sweeps: Sweeps = {
    idempotencyKeys: () => sweepIdempotencyKeys(db),
    rateLimits: () => sweepRateLimits(db),
    objects: () => objects.sweep(),
    ...Object.assign({}, ...parts.map((part) => part.sweeps)),
  };
  let endAccess = () => {};
  jobs.schedule('sweep', HOURLY, () => runSweeps(sweeps, log));

  return {
    ...platform,
    ...made,
    ...{ streams, patiences: overrides.patiences ?? PATIENCE, readiness, router, bytes, call },
    async begin() {
      // Whom a lost connection kept from us may be among those who read.
      endAccess = notifications.subscribe(
        ACCESS_ENDED,
        (userId) => streams.endOf({ userId }),
        streams.endAll,
      );
      await Promise.all(parts.map((part) => part.start?.()));
      await jobs.start();
      for (const part of parts) await part.resume?.();
      readiness.begun();
      const running = Object.fromEntries(engines().map((engine) => [engine.id, engine.running]));
      log.info({ engines: running }, 'engines');
      // Nobody who waits for the console waits for these.
      for (const part of parts) setImmediate(() => void part.catchUp?.());
    },
    async end() {
      readiness.ending();
      endAccess();
      const jobsEnded = jobs.stop(JOBS_GRACE);
      await Promise.all([jobsEnded, ...parts.map((part) => part.stop?.(jobsEnded))]);
    },
    close: () => notifications.close(),
  };
}

/** Routers of all domains. That each has all of its handlers, `Domains` has checked. */
function routersOf(domains: Domains['domains'], { implement, implementBytes, router }: Procedures) {
  const each = Object.entries<Table>(contract).map(([name, table]) => {
    const { handlers }: { handlers: object } = domains[name as keyof typeof domains];
    return { name, table, handlers: handlers as Domain<Table>['handlers'] };
  });
  const procedures = each.map(({ name, table, handlers }) => [name, implement(table, handlers)] as const);
  const bytes = each.map(({ name, table, handlers }) => [name, implementBytes(table, handlers)] as const);
  return {
    // The contract types the context as unread, hence the cast.
    router: router(Object.fromEntries(procedures)) as unknown as AppRouter,
    bytes: router(Object.fromEntries(bytes)),
  };
}
