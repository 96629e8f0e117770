import { skipToken } from '@tanstack/react-query';
import { trpc } from '../trpc.ts';
import { withRow } from './newest-first.ts';
import { useDocumentVisible } from './use-document-visible.ts';
import { useStreamRetry } from './use-stream-retry.ts';

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
      utils.deployments.list.setData(input, (before) => before && withRow(before, data));
      refetchProject();
    },
  });
  useStreamRetry({ status, reset });
}
