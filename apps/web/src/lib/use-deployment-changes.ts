import type { Deployment } from '@nephos/contracts';
import { skipToken } from '@tanstack/react-query';
import { trpc } from '../trpc.ts';
import { useDocumentVisible } from './use-document-visible.ts';
import { useStreamRetry } from './use-stream-retry.ts';

/** A newest-first list with one of its deployments replaced, or added where it belongs. */
export function withDeployment(list: readonly Deployment[], changed: Deployment): Deployment[] {
  const others = list.filter((deployment) => deployment.id !== changed.id);
  return [...others, changed].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * Keeps what is cached of a project true while its deployments move. A hidden tab keeps listening only where `always`
 * is set, since browsers allow few open streams to one server.
 */
export function useDeploymentChanges(projectId: string, { always }: { always: boolean }): void {
  const utils = trpc.useUtils();
  const visible = useDocumentVisible();
  const input = { id: projectId };

  function refetchProject() {
    void utils.projects.get.invalidate(input);
    void utils.projects.list.invalidate();
  }

  function refetchAll() {
    void utils.deployments.list.invalidate(input);
    refetchProject();
  }

  const { status, reset } = trpc.deployments.changes.useSubscription(always || visible ? input : skipToken, {
    // What happened before this connection, or between two, was not sent through it.
    onStarted: refetchAll,
    // A stream cannot say why it was refused; the same question, asked plainly, can.
    onError: refetchAll,
    onData: ({ data }) => {
      utils.deployments.list.setData(input, (before) => before && withDeployment(before, data));
      refetchProject();
    },
  });
  useStreamRetry({ status, reset });
}
