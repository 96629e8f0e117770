import { createFileRoute } from '@tanstack/react-router';
import { VariableGroupsPage } from '../../features/projects/variable-groups-page.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/variable-groups/')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) => utils.variableGroups.list.ensureData(),
  pendingComponent: () => <PageSkeleton label="Loading variable groups" action="w-32" bars={['h-40']} />,
  component: VariableGroupsPage,
});
