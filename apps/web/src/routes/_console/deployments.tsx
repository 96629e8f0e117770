import { PROJECT_SORTS } from '@nephos/contracts/constants';
import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '../../features/projects/projects-page.tsx';
import { ProjectsSkeleton } from '../../features/projects/projects-skeleton.tsx';
import { loadFirstPage } from '../../lib/first-page.ts';
import { firstOf, listPageSearch, listSearch } from '../../lib/list-view.ts';

export const Route = createFileRoute('/_console/deployments')({
  validateSearch: listPageSearch(PROJECT_SORTS),
  loader: ({ context: { utils }, location }) =>
    Promise.all([
      loadFirstPage(utils.projects.list, firstOf(listSearch(PROJECT_SORTS, location.search))),
      utils.projects.runtimes.ensureData(),
      utils.projects.containerRuntime.ensureData(),
    ]),
  pendingComponent: ProjectsSkeleton,
  component: ProjectsPage,
});
