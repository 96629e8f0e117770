import { PageHeader } from '../../ui/page-header.tsx';

export function ProjectsPage() {
  return (
    <PageHeader
      title="Deployments"
      description="Apps that are built from Git and run at a URL of their own."
    />
  );
}
