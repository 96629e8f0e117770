import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import type { LiveApp } from '../serve/live-app.ts';

/** Apps that get no more requests and come to their end beside everything else. */
export interface Retirements {
  /** Drains and ends an app, where there is one, without waiting for it; then calls `after`. */
  begin(app: LiveApp | undefined, after: () => Promise<void>): void;
  /** Ends an app without draining it. Resolves when it has ended. */
  end(app: LiveApp): Promise<void>;
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
  const add = (app: LiveApp | undefined, work: Promise<void>) => {
    underWay.set(work, app);
    void work.finally(() => underWay.delete(work));
  };
  return {
    begin(app, after) {
      const stopped = app?.stop({ drain: limits.drainTime }) ?? Promise.resolve();
      add(
        app,
        stopped.then(after).catch((error) => log.error({ err: error }, 'retiring an app')),
      );
    },
    end(app) {
      const stopped = app.stop({ drain: 0 });
      // Whoever asked for it hears what went wrong.
      add(
        app,
        stopped.catch(() => {}),
      );
      return stopped;
    },
    ofProject: (projectId) => settle((app) => app?.projectId === projectId),
    all: () => settle(() => true),
    apps: () => [...underWay.values()].flatMap((app) => app ?? []),
  };
}
