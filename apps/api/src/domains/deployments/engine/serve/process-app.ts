import { Pool } from 'undici';
import type { EngineDeps } from '../engine-deps.ts';
import type { AppProcess, StartOptions } from '../process/app-process.ts';
import { supervise } from '../process/supervise.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import type { LiveApp } from './live-app.ts';
import { createForwarding } from './proxy-headers.ts';
import { countRequests } from './requests-under-way.ts';

/** Without a hint of the app's own, a connection is not used again after so many idle milliseconds. */
const KEEP_ALIVE_MS = 1000;

export type ProcessAppOptions = Omit<StartOptions, 'signal'> & {
  /** The app's run, where it was started already; else it is started now. */
  first?: AppProcess;
};

/**
 * An app in processes of its own, started again when it crashes. When it has crashed too often it takes itself off the
 * routes and reports the deployment as failed.
 */
export function createProcessApp(deps: EngineDeps, options: ProcessAppOptions): LiveApp {
  const { deploymentId, projectId, slug } = options.app;
  const stopping = new AbortController();
  const requests = countRequests();
  const forwarding = createForwarding(deps.settings);
  let up: { run: AppProcess; pool: Pool } | undefined;
  let startedAgain = options.first === undefined;

  const onUp = (run: AppProcess) => {
    up = { run, pool: createPool(deps, run.origin) };
    if (startedAgain) {
      options.log.system('The app answers again.');
      deps.live
        .recovered(deploymentId)
        .catch((error) => deps.log.error({ err: error, deploymentId }, 'not recorded'));
    }
    startedAgain = true;
  };
  const onDown = () => {
    void up?.pool.destroy();
    up = undefined;
  };
  const app: LiveApp = {
    deploymentId,
    projectId,
    slug,
    serve(request, response) {
      requests.begin(response);
      if (up) forwardRequest(request, response, { pool: up.pool, forwarding });
      else sendPage(request, response, 'starting');
    },
    upgrade(request, socket, head) {
      if (!up) return refuseUpgrade(socket, 503);
      requests.begin(socket);
      forwardUpgrade(request, { socket, head }, { origin: up.run.origin, forwarding });
    },
    async stop({ drain, grace, keepLog = false }) {
      await requests.ended(drain);
      stopping.abort();
      await supervision;
      await up?.run.stop(grace);
      onDown();
      if (!keepLog) await options.log.close();
    },
  };
  const giveUp = async (reason: string) => {
    deps.routes.remove(app);
    options.log.system(reason);
    await deps.live.crashed(deploymentId, reason);
  };
  const supervision = supervise(deps, options, { signal: stopping.signal, onUp, onDown })
    .then(giveUp)
    .catch((error: unknown) => {
      if (!stopping.signal.aborted)
        deps.log.error({ err: error, deploymentId }, 'an app is no longer supervised');
    });
  return app;
}

function createPool({ limits }: EngineDeps, origin: string): Pool {
  return new Pool(origin, {
    headersTimeout: limits.headersTime,
    // A stream of events may be silent for hours.
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: 5000,
  });
}
