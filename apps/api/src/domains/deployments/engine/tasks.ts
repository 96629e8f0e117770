import type { LiveApp } from './serve/live-app.ts';

/** Work under way, by project. */
export interface Tasks {
  /** Keeps a promise that does not reject until it settles, with the app that it is about. */
  add(projectId: string, work: Promise<unknown>, app?: LiveApp): void;
  of(projectId: string): Promise<void>;
  all(): Promise<void>;
  apps(): LiveApp[];
}

export function createTasks(): Tasks {
  const tasks = new Set<{ projectId: string; work: Promise<unknown>; app: LiveApp | undefined }>();
  const settle = async (chosen: (projectId: string) => boolean) => {
    await Promise.all([...tasks].filter((task) => chosen(task.projectId)).map((task) => task.work));
  };
  return {
    add(projectId, work, app) {
      const task = { projectId, work, app };
      tasks.add(task);
      void work.finally(() => tasks.delete(task));
    },
    of: (projectId) => settle((candidate) => candidate === projectId),
    all: () => settle(() => true),
    apps: () => [...tasks].flatMap(({ app }) => app ?? []),
  };
}
