import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { ProjectDomains } from '../../features/custom-domains/domains.tsx';
import { FieldsSkeleton } from '../../features/projects/fields-skeleton.tsx';
import { SettingsPage } from '../../features/projects/settings-page.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/settings')({
  loader: ({ context: { utils }, params: { projectId: id } }) =>
    Promise.all([
      utils.projects.runtimes.ensureData(),
      utils.projects.containerRuntime.ensureData(),
      utils.commitStatuses.get.ensureData({ id }),
      utils.deployKeys.get.ensureData({ id }),
      utils.previews.settings.ensureData({ id }),
      utils.variableGroups.list.ensureData(),
      utils.pushHooks.get.ensureData({ id }),
      utils.pushHooks.deliveries.ensureData({ id }),
      utils.customDomains.list.ensureData({ id }),
    ]),
  pendingComponent: FieldsSkeleton,
  component: Page,
});

function Page() {
  const { projectId } = Route.useParams();
  return (
    <>
      <SettingsPage domains={<ProjectDomains projectId={projectId} />} />
      <LateActivity id={projectId} />
    </>
  );
}
