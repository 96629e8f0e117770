import { PageHeader } from '../../ui/page-header.tsx';

export function AccountHeader() {
  return (
    <PageHeader
      title="Account"
      description="Your name, your password, your access tokens and where you are signed in."
    />
  );
}
