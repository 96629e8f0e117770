import { createFileRoute } from '@tanstack/react-router';
import { PanelSkeleton } from '../../features/projects/panel-skeleton.tsx';
import { SettingsPage } from '../../features/projects/settings-page.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/settings')({
  loader: ({ context: { utils } }) => utils.projects.runtimes.ensureData(),
  pendingComponent: PanelSkeleton,
  component: SettingsPage,
});
