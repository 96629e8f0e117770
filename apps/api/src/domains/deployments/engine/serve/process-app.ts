import type { Logger } from 'pino';
import { Pool } from 'undici';
import type { LiveDeployments, LogWriter } from '../engine.ts';
import type { AppProcess, StartOptions } from '../process/app-process.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { supervise } from '../process/supervise.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import type { AppRoutes } from './app-routes.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import type { LiveApp } from './live-app.ts';
import { createForwarding } from './proxy-headers.ts';
import { countRequests } from './requests-under-way.ts';

/** Without a hint of the app's own, a connection is not used again after so many idle milliseconds. */
const KEEP_ALIVE_MS = 1000;

/** What apps are kept running with. */
export interface ServeParts extends ProcessParts {
  log: Logger;
  live: LiveDeployments;
  routes: AppRoutes;
}

export type ProcessAppOptions = Omit<StartOptions, 'signal'> & {
  /** The app's run, where it was started already; else it is started now. */
  first?: AppProcess;
};

/**
 * An app in processes of its own, started again when it crashes. When it has crashed too often it takes itself off the
 * routes and reports the deployment as failed.
 */
export function createProcessApp(parts: ServeParts, options: ProcessAppOptions): LiveApp {
  const { deploymentId, projectId, slug } = options.app;
  const stopping = new AbortController();
  const requests = countRequests();
  const forwarding = createForwarding(parts.settings);
  const upstream = createUpstream(parts, options);
  const app: LiveApp = {
    deploymentId,
    projectId,
    slug,
    serve(request, response) {
      requests.begin(response);
      const up = upstream.current();
      if (up) forwardRequest(request, response, { pool: up.pool, forwarding });
      else sendPage(request, response, 'starting');
    },
    upgrade(request, socket, head) {
      const up = upstream.current();
      if (!up) return refuseUpgrade(socket, 503);
      requests.begin(socket);
      forwardUpgrade(request, { socket, head }, { origin: up.run.origin, forwarding });
    },
    async stop({ drain, grace, keepLog = false }) {
      await requests.ended(drain);
      stopping.abort();
      await supervision;
      await upstream.current()?.run.stop(grace);
      upstream.onDown();
      if (!keepLog) await options.log.close();
    },
  };
  const supervision = supervise(parts, options, { signal: stopping.signal, ...upstream })
    .then((reason) => giveUp(parts, { app, log: options.log, reason }))
    .catch((error: unknown) => {
      if (!stopping.signal.aborted)
        parts.log.error({ err: error, deploymentId }, 'an app is no longer supervised');
    });
  return app;
}

/** The run of an app that is up, with the connections to it. A run after the first is reported as a recovery. */
function createUpstream(parts: ServeParts, { app, log, first }: ProcessAppOptions) {
  const { deploymentId } = app;
  let up: { run: AppProcess; pool: Pool } | undefined;
  let isRestart = first === undefined;
  return {
    current: () => up,
    onUp(run: AppProcess) {
      up = { run, pool: createPool(parts, run.origin) };
      if (isRestart) {
        log.system('The app is responding again.');
        parts.live
          .recovered(deploymentId)
          .catch((error) => parts.log.error({ err: error, deploymentId }, 'not recorded'));
      }
      isRestart = true;
    },
    onDown() {
      void up?.pool.destroy();
      up = undefined;
    },
  };
}

async function giveUp(
  { routes, live }: ServeParts,
  { app, log, reason }: { app: LiveApp; log: LogWriter; reason: string },
): Promise<void> {
  routes.remove(app);
  log.system(reason);
  await live.crashed(app.deploymentId, reason);
}

function createPool({ limits }: ServeParts, origin: string): Pool {
  return new Pool(origin, {
    headersTimeout: limits.headersTime,
    // A stream of events may be silent for hours.
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: 5000,
  });
}
