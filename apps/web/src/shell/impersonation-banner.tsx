import type { SignedInUser } from '@nephos/contracts';
import { UserCheck } from 'lucide-react';
import { formatInstant } from '../lib/format.ts';
import { buttonStyles } from '../ui/button-styles.ts';

type ImpersonationBannerProps = Pick<SignedInUser, 'email'> & {
  impersonator: NonNullable<SignedInUser['impersonator']>;
};

/** Says above every page that an admin is signed in as somebody else. */
export function ImpersonationBanner({ email, impersonator }: ImpersonationBannerProps) {
  return (
    <div role="status" data-sticks className="sticky top-14 z-20 border-warning/50 border-b bg-canvas">
      <div className="flex flex-wrap items-center gap-3 bg-warning-soft px-4 py-2 sm:px-5">
        <UserCheck aria-hidden="true" className="size-4 shrink-0 text-warning" />
        <p className="min-w-0 grow break-words text-sm">
          You are signed in as <strong>{email}</strong> until {formatInstant(impersonator.until)}. Everything
          you do is recorded as {impersonator.email}.
        </p>
        <a href="/api/logout" className={buttonStyles({ size: 'sm' })}>
          End
        </a>
      </div>
    </div>
  );
}
