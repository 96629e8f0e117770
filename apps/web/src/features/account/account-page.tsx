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
      </div>
    </>
  );
}
