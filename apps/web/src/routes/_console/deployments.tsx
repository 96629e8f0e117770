import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '../../features/projects/projects-page.tsx';

interface DeploymentsSearch {
  /** Opens the New Project dialog. */
  new?: 1;
}

export const Route = createFileRoute('/_console/deployments')({
  validateSearch: (search): DeploymentsSearch => (search.new === 1 ? { new: 1 } : {}),
  component: ProjectsPage,
});
