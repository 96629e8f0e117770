import { Link } from '@tanstack/react-router';
import { HEADINGS } from '../../shell/headings.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PasswordForm, ProfileForm } from './account-forms.tsx';
import { SessionList } from './session-list.tsx';
import { TokenList } from './token-list.tsx';

export function AccountPage() {
  return (
    <>
      <PageHeader {...HEADINGS.account} />
      <div className="grid max-w-4xl gap-6">
        <ProfileForm />
        <PasswordForm />
        <TokenList />
        <SessionList />
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
