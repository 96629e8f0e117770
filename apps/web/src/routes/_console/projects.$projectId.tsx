import { createFileRoute } from '@tanstack/react-router';
import { ProjectPage } from '../../features/projects/project-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId')({
  loader: ({ context: { utils }, params: { projectId } }) =>
    Promise.all([
      utils.projects.get.ensureData({ id: projectId }),
      utils.projects.runtimes.ensureData(),
      utils.deployments.list.ensureData({ id: projectId }),
    ]),
  pendingComponent: () => (
    <PageSkeleton label="Loading project" action="w-52" bars={['h-10 w-80 max-w-full', 'mt-6 h-46']} />
  ),
  component: ProjectPage,
});
