import { PageHeader } from '../../ui/page-header.tsx';

export function AdminHeader() {
  return (
    <PageHeader
      title="Admin Dashboard"
      description="Who uses this installation, what they pay and use, and how its parts are."
    />
  );
}
