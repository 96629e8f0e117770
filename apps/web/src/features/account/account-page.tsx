import { Link } from '@tanstack/react-router';
import { lazy } from 'react';
import { HEADINGS } from '../../shell/headings.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PasswordForm, ProfileForm } from './account-forms.tsx';
import { SessionList } from './session-list.tsx';
import { TokenList } from './token-list.tsx';

const EmailCard = lazy(() => import('./email-card.tsx').then(({ EmailCard }) => ({ default: EmailCard })));
const ConnectionsCard = lazy(() =>
  import('./connections-card.tsx').then((part) => ({ default: part.ConnectionsCard })),
);
const SecondFactorCard = lazy(() =>
  import('./second-factor-card.tsx').then((part) => ({ default: part.SecondFactorCard })),
);
const SignInConsentCard = lazy(() =>
  import('./sign-in-consent-card.tsx').then((part) => ({ default: part.SignInConsentCard })),
);

export function AccountPage() {
  return (
    <>
      <PageHeader {...HEADINGS.account} />
      <div className="grid max-w-4xl gap-6">
        <ProfileForm />
        <LatePart wanted fallback={<Skeleton className="h-40" />}>
          <EmailCard />
        </LatePart>
        <PasswordForm />
        <LatePart wanted fallback={<Skeleton className="h-40" />}>
          <SecondFactorCard />
        </LatePart>
        <LatePart wanted fallback={null}>
          <ConnectionsCard />
        </LatePart>
        <TokenList />
        <SessionList />
        <LatePart wanted fallback={<Skeleton className="h-32" />}>
          <SignInConsentCard />
        </LatePart>
        <p className="text-muted">
          <Link to="/activity" className="underline underline-offset-4">
            Activity
          </Link>{' '}
          shows every sign-in and change.
        </p>
      </div>
    </>
  );
}
