import type { OpenRepository, Repositories } from '../engine.ts';

/** Opens repositories and knows which are open, so that none is worked on when it is deleted or the server stops. */
export function trackRepositories({ openRepository, hasRepository }: Repositories) {
  const open = new Map<OpenRepository, string>();
  return {
    hasRepository,
    async openRepository(project): Promise<OpenRepository> {
      const opened = await openRepository(project);
      const tracked: OpenRepository = {
        ...opened,
        async [Symbol.asyncDispose]() {
          await opened[Symbol.asyncDispose]();
          open.delete(tracked);
        },
      };
      open.set(tracked, project.projectId);
      return tracked;
    },
    /** Closes those of one project, or all, whatever is under way in them. */
    async close(projectId?: string): Promise<void> {
      const theirs = [...open].filter(([, id]) => projectId === undefined || id === projectId);
      await Promise.all(theirs.map(([repository]) => repository[Symbol.asyncDispose]()));
    },
  } satisfies Repositories & { close(projectId?: string): Promise<void> };
}
