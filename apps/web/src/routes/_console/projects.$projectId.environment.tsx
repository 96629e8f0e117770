import { createFileRoute } from '@tanstack/react-router';
import { EnvironmentPage } from '../../features/projects/environment-page.tsx';
import { FieldsSkeleton } from '../../features/projects/fields-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/environment')({
  loader: ({ context: { utils }, params: { projectId } }) =>
    Promise.all([
      utils.projects.variables.ensureData({ id: projectId }),
      utils.variableGroups.ofProject.ensureData({ id: projectId }),
    ]),
  pendingComponent: FieldsSkeleton,
  component: EnvironmentPage,
});
