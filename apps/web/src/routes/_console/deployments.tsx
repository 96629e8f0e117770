import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '../../features/projects/projects-page.tsx';
import { ProjectsSkeleton } from '../../features/projects/projects-skeleton.tsx';
import { creationSearch } from '../../lib/creation.ts';

export const Route = createFileRoute('/_console/deployments')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([utils.projects.list.ensureData(), utils.projects.runtimes.ensureData()]),
  pendingComponent: ProjectsSkeleton,
  component: ProjectsPage,
});
