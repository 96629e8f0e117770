import { trpc } from '../../lib/trpc.ts';
import { Notice } from '../../ui/notice.tsx';

/** Why the Git host does not show what became of the last commit, where it does not. */
export function CommitStatusNotice({ projectId }: { projectId: string }) {
  const [{ problem }] = trpc.commitStatuses.get.useSuspenseQuery({ id: projectId });
  if (problem === '') return null;
  return <Notice tone="warning" title={`Commit status: ${problem}`} />;
}
