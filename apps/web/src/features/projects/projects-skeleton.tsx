import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export function ProjectsSkeleton() {
  return (
    <PageSkeleton
      label="Loading projects"
      heading={HEADINGS.deployments}
      action="w-34"
      cards={{ height: 'h-56', badge: true, lines: 2, button: 'w-36' }}
    />
  );
}
