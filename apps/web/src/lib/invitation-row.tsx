import { Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatInstant } from './format.ts';

interface Open {
  email: string | null;
  invitedBy: string | null;
  expiresAt: string;
}

/** Whom an invitation is for, in words. */
export function invitedOf({ email }: Pick<Open, 'email'>): string {
  return email ?? 'Anyone with the link';
}

interface InvitationRowProps {
  invitation: Open;
  /** What stands beside whom it is for. */
  badge?: ReactNode;
  /** What can be done with it. */
  children: ReactNode;
}

/** An invitation that was made and not used yet. */
export function InvitationRow({ invitation, badge, children }: InvitationRowProps) {
  const { invitedBy, expiresAt } = invitation;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
      <Link2 aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-all">{invitedOf(invitation)}</span>
          {badge}
        </p>
        <p className="mt-0.5 break-words text-faint text-sm">
          {invitedBy && `invited by ${invitedBy} · `}
          <time dateTime={expiresAt}>expires {formatInstant(expiresAt)}</time>
        </p>
      </div>
      {children}
    </li>
  );
}
