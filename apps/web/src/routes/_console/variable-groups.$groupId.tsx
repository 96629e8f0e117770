import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { VariableGroupPage } from '../../features/projects/variable-group-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/variable-groups/$groupId')({
  loader: ({ context: { utils }, params: { groupId } }) =>
    utils.variableGroups.get.ensureData({ id: groupId }),
  pendingComponent: () => (
    <PageSkeleton label="Loading the group" action="w-44" bars={['mb-6 h-20', 'mb-6 h-48', 'h-48']} />
  ),
  component: Page,
});

function Page() {
  return (
    <>
      <VariableGroupPage />
      <LateActivity id={Route.useParams().groupId} />
    </>
  );
}
