import { lazy } from 'react';
import { HEADINGS } from '../../shell/headings.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PasswordForm, ProfileForm } from './account-forms.tsx';
import { SessionList } from './session-list.tsx';
import { TokenList } from './token-list.tsx';

const SecondFactorCard = lazy(() =>
  import('./second-factor-card.tsx').then((part) => ({ default: part.SecondFactorCard })),
);

export function AccountPage() {
  return (
    <>
      <PageHeader {...HEADINGS.account} />
      <div className="grid max-w-4xl gap-6">
        <ProfileForm />
        <PasswordForm />
        <LatePart wanted={false} fallback={<Skeleton className="h-40" />}>
          <SecondFactorCard />
        </LatePart>
        <TokenList />
        <SessionList />
      </div>
    </>
  );
}
