import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../features/account/account-page.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/account')({
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.auth.user.ensureData(),
      utils.auth.tokens.ensureData(),
      utils.auth.sessions.ensureData(),
    ]),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading account"
      heading={HEADINGS.account}
      bars={['mb-6 h-64 max-w-4xl', 'mb-6 h-72 max-w-4xl', 'mb-6 h-32 max-w-4xl', 'h-40 max-w-4xl']}
    />
  ),
  component: AccountPage,
});
