import { trpc } from '../../lib/trpc.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';

const PAGE = 60;

/** The members of the workspace that is shown, those who joined last first. */
export function useMembers() {
  const { id } = useWorkspace();
  return trpc.workspaces.members.useInfiniteQuery(
    { id, limit: PAGE },
    { getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.userId) },
  );
}
