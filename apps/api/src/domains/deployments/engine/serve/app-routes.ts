import type { LiveApp } from './live-app.ts';

/** Which app answers under which slug; one per project. */
export interface AppRoutes {
  bySlug(slug: string): LiveApp | undefined;
  byProject(projectId: string): LiveApp | undefined;
  /** The app that got a project's requests last, also when it does no longer. */
  lastOf(projectId: string): LiveApp | undefined;
  all(): LiveApp[];
  /** Sends requests to `app` from now on, and returns the app that got them until now. */
  switchTo(app: LiveApp): LiveApp | undefined;
  /** Sends requests to `app` no longer, unless another already has its place. */
  remove(app: LiveApp): void;
  /** Forgets a project that was deleted. */
  forget(projectId: string): void;
}

export function createAppRoutes(): AppRoutes {
  const slugs = new Map<string, LiveApp>();
  const projects = new Map<string, LiveApp>();
  const last = new Map<string, LiveApp>();
  const remove = (app: LiveApp) => {
    if (slugs.get(app.slug) === app) slugs.delete(app.slug);
    if (projects.get(app.projectId) === app) projects.delete(app.projectId);
  };
  return {
    bySlug: (slug) => slugs.get(slug),
    byProject: (projectId) => projects.get(projectId),
    lastOf: (projectId) => last.get(projectId),
    forget: (projectId) => void last.delete(projectId),
    all: () => [...projects.values()],
    remove,
    switchTo(app) {
      const former = projects.get(app.projectId);
      if (former) remove(former);
      slugs.set(app.slug, app);
      projects.set(app.projectId, app);
      last.set(app.projectId, app);
      return former;
    },
  };
}
