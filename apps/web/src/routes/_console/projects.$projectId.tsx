import { createFileRoute } from '@tanstack/react-router';
import { ProjectPage } from '../../features/projects/project-page.tsx';
import { ProjectSkeleton } from '../../features/projects/project-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId')({
  loader: ({ context: { utils }, params: { projectId } }) =>
    Promise.all([
      utils.projects.get.ensureData({ id: projectId }),
      utils.deployments.list.ensureData({ id: projectId }),
    ]),
  pendingComponent: ProjectSkeleton,
  component: ProjectPage,
});
