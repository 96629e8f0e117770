import { createFileRoute } from '@tanstack/react-router';
import { TerminalPage } from '../../features/app-runs/terminal-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/terminal')({
  loader: ({ context: { utils }, params: { projectId } }) =>
    // Asked each time: a deployment in between changes the answer.
    utils.appRuns.terminal.fetch({ id: projectId }),
  pendingComponent: () => <PageSkeleton label="Loading terminal" action="w-0" bars={['h-96']} />,
  component: TerminalPage,
});
