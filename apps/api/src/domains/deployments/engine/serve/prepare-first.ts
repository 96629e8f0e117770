import { isAway } from '../container/daemon.ts';
import type { ReleaseStart } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import type { ServeParts } from './process-app.ts';

/** Prepares an app that ran before, once for all of its instances, and again where that failed for the next start. */
export function prepareFirst({ runtime, log }: ServeParts, start: ReleaseStart): ServeParts['runtime'] {
  let prepared: Promise<void> | undefined;
  const prepare = async () => {
    try {
      await runtime.prepare(start);
    } catch (error) {
      if (error instanceof StepFailure) throw error;
      log.error({ err: error, deploymentId: start.app.deploymentId }, 'an app was not prepared');
      // What it runs on may be away for a while, for which its start has patience. Else it would lack what it needs.
      if (isAway(error)) return;
      throw new StepFailure(
        'start',
        "Start failed: the app couldn't be prepared. The server's log says why.",
      );
    }
  };
  return {
    prepare: runtime.prepare,
    async startInstance(options) {
      prepared ??= prepare();
      await prepared.catch((error) => {
        prepared = undefined;
        throw error;
      });
      options.signal.throwIfAborted();
      return runtime.startInstance(options);
    },
  };
}
