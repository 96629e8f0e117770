import type { Account } from '@nephos/db';
import type { Serve } from '../detect/plan.ts';
import type { DeployedApp, LogWriter } from '../engine.ts';
import type { ReleaseFolders } from '../folders.ts';
import { startAppProcess } from '../process/app-process.ts';
import type { LiveApp } from '../serve/live-app.ts';
import { createProcessApp, type ServeParts } from '../serve/process-app.ts';
import { createStaticApp } from '../serve/static-app.ts';

export interface ReleaseStart {
  app: DeployedApp;
  folders: ReleaseFolders;
  serve: Serve;
  account: Account | undefined;
  log: LogWriter;
}

/** Starts a release and waits until it answers. Throws `StepFailure`, or the signal's reason. */
export async function startRelease(
  parts: ServeParts,
  start: ReleaseStart,
  options: { signal: AbortSignal; onListening: () => Promise<void> },
): Promise<LiveApp> {
  const { serve } = start;
  if (serve.kind === 'static') return createStaticApp({ ...start, ...serve, site: start.folders.site });
  const first = await startAppProcess(parts, { ...start, serve, ...options });
  return createProcessApp(parts, { ...start, serve, first });
}

/** Brings an app back: at once for a site, else as soon as it answers, tried as often as after a crash. */
export function resumeRelease(parts: ServeParts, start: ReleaseStart): LiveApp {
  const { serve } = start;
  if (serve.kind === 'static') return createStaticApp({ ...start, ...serve, site: start.folders.site });
  return createProcessApp(parts, { ...start, serve });
}
