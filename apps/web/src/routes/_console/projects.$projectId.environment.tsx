import { createFileRoute } from '@tanstack/react-router';
import { EnvironmentPage } from '../../features/projects/environment-page.tsx';
import { PanelSkeleton } from '../../features/projects/panel-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/environment')({
  loader: ({ context: { utils }, params: { projectId } }) =>
    utils.projects.variables.ensureData({ id: projectId }),
  pendingComponent: PanelSkeleton,
  component: EnvironmentPage,
});
