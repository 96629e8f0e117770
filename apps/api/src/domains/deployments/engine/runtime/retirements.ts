import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import type { LiveApp } from '../serve/live-app.ts';

/** Apps that get no more requests and come to their end beside everything else. */
export interface Retirements {
  /** Drains and ends an app, where there is one, without waiting for it; then calls `after`. */
  begin(app: LiveApp | undefined, after: () => Promise<void>): void;
  /** Resolves when those of a project that are under way have ended. */
  ofProject(projectId: string): Promise<void>;
  all(): Promise<void>;
  apps(): LiveApp[];
}

export function createRetirements({ limits, log }: { limits: Limits; log: Logger }): Retirements {
  const underWay = new Map<Promise<void>, LiveApp | undefined>();
  const settle = async (isMeant: (app: LiveApp | undefined) => boolean) => {
    await Promise.all([...underWay].filter(([, app]) => isMeant(app)).map(([work]) => work));
  };
  return {
    begin(app, after) {
      const stopped = app?.stop({ drain: limits.drainTime }) ?? Promise.resolve();
      const work = stopped.then(after).catch((error) => log.error({ err: error }, 'retiring an app'));
      underWay.set(work, app);
      void work.finally(() => underWay.delete(work));
    },
    ofProject: (projectId) => settle((app) => app?.projectId === projectId),
    all: () => settle(() => true),
    apps: () => [...underWay.values()].flatMap((app) => app ?? []),
  };
}
