import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '../../features/projects/projects-page.tsx';
import { projectsSearch } from '../../features/projects/projects-search.ts';
import { ProjectsSkeleton } from '../../features/projects/projects-skeleton.tsx';

export const Route = createFileRoute('/_console/deployments')({
  validateSearch: projectsSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([utils.projects.list.ensureData(), utils.projects.runtimes.ensureData()]),
  pendingComponent: ProjectsSkeleton,
  component: ProjectsPage,
});
