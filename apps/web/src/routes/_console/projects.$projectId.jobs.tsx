import { createFileRoute } from '@tanstack/react-router';
import { JobsPage } from '../../features/app-runs/jobs-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/jobs')({
  loader: ({ context: { utils }, params: { projectId } }) => utils.appRuns.jobs.ensureData({ id: projectId }),
  pendingComponent: () => <PageSkeleton label="Loading jobs" action="w-52" bars={['h-40', 'mt-6 h-40']} />,
  component: JobsPage,
});
