import type { Serve } from '../detect/plan.ts';
import { aborted } from '../instances/exit.ts';
import type { ReleaseStart } from '../runtime.ts';
import type { LiveApp } from '../serve/live-app.ts';
import { createProcessApp, type ProcessAppOptions, type ServeParts } from '../serve/process-app.ts';
import { createStaticApp } from '../serve/static-app.ts';

/** A release of any kind. */
export interface AnyStart extends Omit<ReleaseStart, 'serve'>, Pick<ProcessAppOptions, 'isUnprepared'> {
  serve: Serve;
}

/** Starts a release and waits until it answers. Throws `StepFailure`, or the signal's reason. */
export async function startRelease(
  parts: ServeParts,
  start: AnyStart,
  { signal, onListening }: { signal: AbortSignal; onListening: () => Promise<void> },
): Promise<LiveApp> {
  const { serve, log } = start;
  if (serve.kind === 'static') {
    log.system('Serving the site.');
    return createStaticApp({ ...start, ...serve, site: start.folders.site });
  }
  signal.throwIfAborted();
  const app = createProcessApp(parts, { ...start, serve, onListening });
  try {
    await Promise.race([app.started, aborted(signal)]);
    return app;
  } catch (error) {
    // The log goes on: the caller still says how it ended.
    await app.stop({ drain: 0, grace: 0, keepLog: true });
    throw error;
  }
}

/** Brings an app back: at once for a site, else as soon as it answers, tried as often as after a crash. */
export function resumeRelease(parts: ServeParts, start: AnyStart, turn: () => Promise<Disposable>): LiveApp {
  const { serve } = start;
  if (serve.kind === 'static') return createStaticApp({ ...start, ...serve, site: start.folders.site });
  return createProcessApp(parts, { ...start, serve, turn });
}
