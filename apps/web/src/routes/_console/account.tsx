import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../features/account/account-page.tsx';
import { AccountSkeleton } from '../../features/account/account-skeleton.tsx';

export const Route = createFileRoute('/_console/account')({
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.auth.user.ensureData(),
      utils.auth.tokens.ensureData(),
      utils.auth.sessions.ensureData(),
    ]),
  pendingComponent: AccountSkeleton,
  component: AccountPage,
});
