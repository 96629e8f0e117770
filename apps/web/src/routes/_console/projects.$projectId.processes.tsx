import { createFileRoute } from '@tanstack/react-router';
import { FieldsSkeleton } from '../../features/projects/fields-skeleton.tsx';
import { ProcessesPage } from '../../features/projects/processes-page.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/processes')({
  loader: ({ context: { utils }, params: { projectId } }) =>
    Promise.all([
      utils.processes.list.ensureData({ id: projectId }),
      utils.disks.list.ensureData({ id: projectId }),
    ]),
  pendingComponent: FieldsSkeleton,
  component: ProcessesPage,
});
