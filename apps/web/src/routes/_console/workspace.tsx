import { createFileRoute } from '@tanstack/react-router';
import { WorkspacePage } from '../../features/workspace/workspace-page.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/workspace')({
  pendingComponent: () => (
    <PageSkeleton
      label="Loading the workspace"
      heading={HEADINGS.workspace}
      bars={['mb-6 h-48 max-w-4xl', 'mb-6 h-56 max-w-4xl', 'h-64 max-w-4xl']}
    />
  ),
  component: WorkspacePage,
});
