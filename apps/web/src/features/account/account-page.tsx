import { AccountHeader } from './account-header.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SessionList } from './session-list.tsx';
import { TokenList } from './token-list.tsx';

export function AccountPage() {
  return (
    <>
      <AccountHeader />
      <div className="grid max-w-4xl gap-6">
        <ProfileForm />
        <PasswordForm />
        <TokenList />
        <SessionList />
      </div>
    </>
  );
}
